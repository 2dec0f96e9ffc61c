import { baseName } from "../toolkit/base-name.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const basename: CommandDefinition = {
  name: "basename",
  options: "a,multiple s,suffix= z,zero",
  usage: "basename FILE [SUFFIX] | -a FILE... | -s SUFFIX FILE...",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    const multiple = tool.has("a") || tool.has("s");
    if (!multiple && tool.operands.length > 2) throw new UsageFailure(tool.gnu ? `extra operand '${tool.operands[2]}'` : "");
    const suffix = tool.value("s") ?? (multiple ? "" : (tool.operands[1] ?? ""));
    for (const path of multiple ? tool.operands : tool.operands.slice(0, 1)) {
      const name = baseName(path);
      yield* tool.print(`${suffix !== "" && name.endsWith(suffix) && name !== suffix ? name.slice(0, -suffix.length) : name}\n`);
    }
    return 0;
  },
};
