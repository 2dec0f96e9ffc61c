import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const renice: CommandDefinition = {
  name: "renice",
  usage: "renice [-n] PRIORITY [[-p|g|u] ID...]...",
  *run(tool) {
    const words = tool.operands.filter((word) => !/^-(?:n|p|g|u|-priority|-pid|-pgrp|-user|-relative)$/u.test(word));
    const [, ...targets] = words;
    if (targets.length === 0) throw new UsageFailure(tool.gnu ? "not enough arguments" : "");
    const alive = new Set(tool.self.processes().map(({ pid }) => String(pid)));
    for (const target of targets) {
      const known = alive.has(target);
      const reason = known ? "Function not implemented" : "No such process";
      yield* tool.warn(
        tool.gnu ? `failed to ${known ? "set" : "get"} priority for ${target} (process ID): ${reason}` : `setpriority: ${reason}`,
      );
    }
    return 1;
  },
};
