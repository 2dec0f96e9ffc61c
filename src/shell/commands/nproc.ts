import { SysError } from "#sim/errors.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const nproc: CommandDefinition = {
  name: "nproc",
  options: "all",
  *run(tool) {
    let count = 1;
    try {
      count =
        tool.self
          .readText("/proc/cpuinfo")
          .split("\n")
          .filter((line) => line.startsWith("processor")).length || 1;
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
    yield* tool.print(`${count}\n`);
    return 0;
  },
};
