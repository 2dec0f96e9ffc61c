import { formatDate } from "../text/date-text.ts";
import { parseDate } from "../text/parse-date.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const date: CommandDefinition = {
  name: "date",
  options: "u,utc,universal d,date= s,set= R,rfc-email I,iso-8601=? r,reference= rfc-3339= D=",
  usage: "date [OPTIONS] [+FMT] [[-s] TIME]",
  *run(tool) {
    let time = tool.self.nowMs;
    const text = tool.value("d");
    const reference = tool.value("r");
    if (text !== undefined) {
      const parsed = parseDate(text, time);
      if (parsed === undefined) throw new ToolFailure(tool.gnu ? `invalid date ‘${text}’` : `invalid date '${text}'`);
      time = parsed;
    }
    if (reference !== undefined) time = tool.self.stat(reference).modifiedMs;
    if (tool.has("s"))
      throw new ToolFailure(tool.gnu ? "cannot set date: Operation not permitted" : "can't set date: Operation not permitted");
    const operand = tool.operands[0];
    if (operand !== undefined && !operand.startsWith("+")) {
      throw new ToolFailure(tool.gnu ? `invalid date ‘${operand}’` : `invalid date '${operand}'`);
    }
    let format = operand?.slice(1) ?? "%a %b %e %H:%M:%S %Z %Y";
    if (tool.has("R")) format = "%a, %d %b %Y %H:%M:%S +0000";
    const iso = tool.value("I") ?? tool.value("rfc-3339");
    if (iso !== undefined) {
      const separator = tool.has("I") ? "T" : " ";
      const forms: { readonly [name: string]: string } = {
        "": "%F",
        date: "%F",
        hours: "%FT%H+00:00",
        minutes: `%F${separator}%R+00:00`,
        seconds: `%F${separator}%T+00:00`,
        ns: `%F${separator}%T,%N+00:00`,
      };
      const chosen = forms[iso];
      if (chosen === undefined) throw new UsageFailure(`invalid argument '${iso}' for '--iso-8601'`);
      format = chosen;
    }
    yield* tool.print(`${formatDate(format, time)}\n`);
    return 0;
  },
};
