// The machine's architecture, as uname and arch say it.

import type { MachineArchitecture } from "#sim/kernel-release.ts";
import type { Process } from "#sim/program.ts";

/** Of the machine, as its kernel says it. */
export function architectureOf(self: Process): MachineArchitecture {
  return self.exists("/proc/version") && self.readText("/proc/version").includes("-arm64 ") ? "arm64" : "amd64";
}
