// placeholder to be replaced in this session
import type { Sys } from "#sim/program.ts";
import type { Shell } from "../interpreter/shell.ts";
export function* runInteractive(shell: Shell): Sys<number> {
  return shell.status;
}
