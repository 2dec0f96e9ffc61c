import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const realpath: CommandDefinition = {
  name: "realpath",
  options: "e,canonicalize-existing m,canonicalize-missing s,no-symlinks q,quiet",
  usage: "realpath FILE...",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    yield* tool.eachOperand(tool.operands, (path) => tool.print(`${tool.self.realpath(path)}\n`));
    return 0;
  },
};
