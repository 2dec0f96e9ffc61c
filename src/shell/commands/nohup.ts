import type { Process } from "#sim/program.ts";
import { runCommandLine } from "../toolkit/other-programs.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const nohup: CommandDefinition = {
  name: "nohup",
  inOrder: true,
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure("missing operand", 125);
    ignoreHangUp(tool.self);
    if (tool.self.isTty(1)) yield* tool.self.write(2, "nohup: ignoring input\n");
    return yield* runCommandLine(tool, tool.operands);
  },
};

function ignoreHangUp(self: Process): void {
  self.setSignal("HUP", "ignore");
}
