import { readCount } from "../toolkit/counts.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const truncate: CommandDefinition = {
  name: "truncate",
  options: "s,size= c,no-create",
  usage: "truncate [-c] -s SIZE FILE...",
  *run(tool) {
    const size = tool.value("s");
    if (size === undefined) throw new UsageFailure("you must specify either '--size' or '--reference'");
    yield* tool.eachOperand(tool.operands, function* (path) {
      if (!tool.has("c")) tool.self.close(tool.self.open(path, { write: true, create: true }, 0o666));
      tool.self.truncate(path, readCount(size, "number"));
    });
    return 0;
  },
};
