import { SysError } from "#sim/errors.ts";
import { runCommandLine } from "../toolkit/other-programs.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const chroot: CommandDefinition = {
  name: "chroot",
  options: "groups= userspec= skip-chdir",
  unsupported: "groups userspec skip-chdir",
  inOrder: true,
  usageStatus: 125,
  usage: "chroot NEWROOT [PROG ARGS]\n\nRun PROG with root directory set to NEWROOT",
  *run(tool) {
    const [root, ...command] = tool.operands;
    if (root === undefined) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    try {
      tool.self.chroot(root);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new ToolFailure(
        `${tool.gnu ? "cannot" : "can't"} change root directory to '${root}': ${error.message}`,
        tool.gnu ? 125 : 1,
      );
    }
    const shell = tool.self.env.get("SHELL") ?? "/bin/sh";
    return yield* runCommandLine(tool, command.length === 0 ? [shell, "-i"] : command);
  },
};
