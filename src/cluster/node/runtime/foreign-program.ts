// What a container does whose image was built for another architecture: runc's last step cannot be done, which it says where the
// program's own output would stand.

import { SysError } from "#sim/errors.ts";
import { defaultPath } from "#sim/filesystem/exec.ts";
import type { Process, Sys } from "#sim/program.ts";

export function* foreignProgram(self: Process): Sys<number> {
  yield* self.write(2, `exec ${pathOf(self, self.argv[0] ?? "")}: exec format error\n`);
  return 255;
}

function pathOf(self: Process, name: string): string {
  if (name.includes("/")) return name;
  try {
    const candidates = (self.env.get("PATH") ?? defaultPath).split(":").map((directory) => `${directory}/${name}`);
    return candidates.find((path) => self.exists(path)) ?? name;
  } catch (error) {
    if (error instanceof SysError) return name;
    throw error;
  }
}
