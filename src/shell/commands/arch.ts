import { machineNames } from "#sim/kernel-release.ts";
import { architectureOf } from "../toolkit/architecture.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const arch: CommandDefinition = {
  name: "arch",
  options: "",
  *run(tool) {
    yield* tool.print(`${machineNames[architectureOf(tool.self)]}\n`);
    return 0;
  },
};
