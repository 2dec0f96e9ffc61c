import { SysError } from "#sim/errors.ts";
import { findProgram } from "../toolkit/other-programs.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const setsid: CommandDefinition = {
  name: "setsid",
  options: "c,ctty f,fork w,wait",
  unsupported: "c",
  inOrder: true,
  usage: "setsid [-c] PROG ARGS",
  *run(tool) {
    const { self, operands } = tool;
    const [name] = operands;
    if (name === undefined) throw new UsageFailure(tool.gnu ? "no command specified" : "");
    let pid: number;
    try {
      pid = self.spawn({ run: findProgram(self, name, self.env.get("PATH")), argv: operands, newSession: true });
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      const message = tool.gnu ? `failed to execute ${name}: ${error.message}` : `can't execute '${name}': ${error.message}`;
      throw new ToolFailure(message, error.code === "ENOENT" ? 127 : 126);
    }
    // Who leads a group cannot begin a session: then a child does, and nobody waits for it.
    if ((self.pgid === self.pid || tool.has("f")) && !tool.has("w")) return 0;
    return (yield* self.wait(pid))?.code ?? 0;
  },
};
