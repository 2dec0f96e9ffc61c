import { formatDate } from "../text/date-text.ts";
import { formatShell } from "../text/printf.ts";
import { withBytes } from "../text/raw-bytes.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const printf: CommandDefinition = {
  name: "printf",
  usage: "printf FORMAT [ARG]...",
  *run(tool) {
    const [format, ...args] = tool.operands;
    if (format === undefined) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    const { text, problems } = formatShell(format, args, (pattern, seconds) =>
      formatDate(pattern, seconds < 0 ? tool.self.nowMs : seconds * 1000),
    );
    yield* tool.print(withBytes(text));
    for (const problem of problems) {
      yield* tool.warn(tool.gnu ? problem.replace(/^(.*): invalid number$/u, "'$1': expected a numeric value") : problem);
    }
    return 0;
  },
};
