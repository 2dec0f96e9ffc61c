import { SysError } from "#sim/errors.ts";
import { parseDate } from "../text/parse-date.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const touch: CommandDefinition = {
  name: "touch",
  options: "a m c,no-create d,date= t= r,reference= h",
  usage: "touch [-cham] [-d DATE] [-t DATE] [-r FILE] FILE...",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing file operand" : "");
    let time = tool.self.nowMs;
    const date = tool.value("d");
    const reference = tool.value("r");
    if (date !== undefined) {
      const parsed = parseDate(date, tool.self.nowMs);
      if (parsed === undefined) throw new ToolFailure(tool.gnu ? `invalid date format '${date}'` : `invalid date '${date}'`);
      time = parsed;
    } else if (reference !== undefined) time = tool.self.stat(reference).modifiedMs;
    yield* tool.eachOperand(
      tool.operands,
      function* (path) {
        try {
          tool.self.utimes(path, time);
        } catch (error) {
          if (!(error instanceof SysError && error.code === "ENOENT")) throw error;
          if (tool.has("c")) return;
          tool.self.close(tool.self.open(path, { write: true, create: true }, 0o666));
          if (date !== undefined || reference !== undefined) tool.self.utimes(path, time);
        }
      },
      (path, error) => (tool.gnu ? `cannot touch '${path}': ${error.message}` : `${path}: ${error.message}`),
    );
    return 0;
  },
};
