import { runCommandLine } from "../toolkit/other-programs.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const nice: CommandDefinition = {
  name: "nice",
  options: "n,adjustment=",
  usage: "nice [-n ADJUST] [PROG ARGS]",
  inOrder: true,
  usageStatus: 125,
  *run(tool) {
    const text = tool.value("n") ?? "10";
    if (!/^[-+]?\d+$/u.test(text))
      throw new ToolFailure(tool.gnu ? `invalid adjustment '${text}'` : `invalid number '${text}'`, tool.gnu ? 125 : 1);
    if (tool.operands.length === 0) {
      if (tool.has("n")) throw new UsageFailure("a command must be given with an adjustment");
      yield* tool.print("0\n");
      return 0;
    }
    if (Number(text) !== 0) throw new ToolFailure("cannot set niceness: Function not implemented", tool.gnu ? 125 : 1);
    return yield* runCommandLine(tool, tool.operands);
  },
};
