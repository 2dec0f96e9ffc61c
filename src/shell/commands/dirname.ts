import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const dirname: CommandDefinition = {
  name: "dirname",
  options: "z,zero",
  usage: "dirname FILENAME",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    for (const path of tool.operands) {
      const trimmed = path.replace(/(.)\/+$/u, "$1");
      const at = trimmed.lastIndexOf("/");
      yield* tool.print(`${at < 0 ? "." : trimmed.slice(0, at).replace(/\/+$/u, "") || "/"}\n`);
    }
    return 0;
  },
};
