import { durationMs } from "../toolkit/durations.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const sleep: CommandDefinition = {
  name: "sleep",
  options: "",
  usage:
    "sleep [N]...\n\nPause for a time equal to the total of the args given, where each arg can\nhave an optional suffix of (s)econds, (m)inutes, (h)ours, or (d)ays",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    let total = 0;
    for (const operand of tool.operands) {
      const ms = durationMs(operand);
      if (ms === undefined) {
        if (!tool.gnu) throw new ToolFailure(`invalid number '${operand}'`);
        throw new UsageFailure(`invalid time interval ‘${operand}’`);
      }
      total += ms;
    }
    yield* tool.self.sleep(total);
    return 0;
  },
};
