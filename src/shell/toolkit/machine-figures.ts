// What /proc tells of the machine.

import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";

/** /proc/meminfo in KiB by name. */
export function memoryFigures(self: Process): ReadonlyMap<string, number> {
  try {
    const lines = self.readText("/proc/meminfo").split("\n");
    return new Map(
      lines
        .map((line) => /^(\w+):\s+(\d+)/u.exec(line))
        .filter((match) => match !== null)
        .map((match) => [match[1] as string, Number(match[2])]),
    );
  } catch (error) {
    if (error instanceof SysError) return new Map();
    throw error;
  }
}
