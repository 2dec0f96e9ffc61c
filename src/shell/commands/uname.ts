import { machineNames } from "#sim/kernel-release.ts";
import { architectureOf } from "../toolkit/architecture.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const uname: CommandDefinition = {
  name: "uname",
  options:
    "a,all s,kernel-name n,nodename r,kernel-release v,kernel-version m,machine p,processor i,hardware-platform o,operating-system",
  usage: "uname [-amnrspvio]",
  *run(tool) {
    const architecture = architectureOf(tool.self);
    const fields: readonly (readonly [string, string])[] = [
      ["s", "Linux"],
      ["n", tool.self.hostname],
      ["r", tool.self.kernelRelease.release],
      ["v", tool.self.kernelRelease.build],
      ["m", machineNames[architecture]],
      ["o", "GNU/Linux"],
    ];
    const all = tool.has("a");
    const shown = fields.filter(([letter]) => all || tool.has(letter) || (tool.given.length === 0 && letter === "s"));
    yield* tool.print(`${shown.map(([, value]) => value).join(" ")}\n`);
    return 0;
  },
};
