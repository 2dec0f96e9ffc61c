// What a container does whose program the machine's kernel refuses: runc's last step cannot be done, which it says where the
// program's own output would stand.

import { asciiLowerCase } from "#sim/ascii.ts";
import { errnoText, SysError } from "#sim/errors.ts";
import { defaultPath } from "#sim/filesystem/exec.ts";
import type { Process, Program } from "#sim/program.ts";

/** ENOEXEC: its image was built for another architecture. E2BIG: its environment, mostly that of Services, is too large. */
export function refusedProgram(code: "ENOEXEC" | "E2BIG"): Program {
  const cause = asciiLowerCase(errnoText[code]);
  return function* refused(self) {
    yield* self.write(2, `exec ${pathOf(self, self.argv[0] ?? "")}: ${cause}\n`);
    return 255;
  };
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
