// What /proc tells of the machine.

import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";

/** 1 where /proc tells nothing. */
export function cpuCount(self: Process): number {
  try {
    return self.readText("/proc/cpuinfo").match(/^processor/gmu)?.length ?? 1;
  } catch (error) {
    if (error instanceof SysError) return 1;
    throw error;
  }
}

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
