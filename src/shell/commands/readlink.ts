import { SysError } from "#sim/errors.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const readlink: CommandDefinition = {
  name: "readlink",
  options: "f,canonicalize e,canonicalize-existing m,canonicalize-missing n,no-newline q,quiet s v z",
  usage: "readlink [-fnv] FILE",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    let status = 0;
    for (const path of tool.operands) {
      try {
        const target = tool.has("f") || tool.has("e") || tool.has("m") ? tool.self.realpath(path) : tool.self.readlink(path);
        yield* tool.print(tool.has("n") ? target : `${target}\n`);
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        status = 1;
      }
    }
    return status;
  },
};
