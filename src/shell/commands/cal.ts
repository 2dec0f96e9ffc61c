import { civilDate } from "#sim/calendar.ts";
import { formatDate } from "../text/date-text.ts";
import { parseDate } from "../text/parse-date.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

/** The month table of `cal`. */
export const cal: CommandDefinition = {
  name: "cal",
  options: "",
  *run(tool) {
    const today = civilDate(tool.self.nowMs);
    const year = Number(tool.operands.at(-1) ?? today.year);
    const month = tool.operands.length > 1 ? Number(tool.operands[0]) : today.month;
    const first = parseDate(`${year}-${String(month).padStart(2, "0")}-01`, 0) ?? 0;
    const title = formatDate("%B %Y", first);
    let text = `${" ".repeat(Math.max(0, Math.floor((20 - title.length) / 2)))}${title}\nSu Mo Tu We Th Fr Sa\n`;
    let line = "   ".repeat(civilDate(first).weekday);
    for (let day = 0; day < 31; day += 1) {
      const each = civilDate(first + day * 86_400_000);
      if (each.month !== month) break;
      line += `${String(each.day).padStart(2)} `;
      if (each.weekday === 6) {
        text += `${line.trimEnd()}\n`;
        line = "";
      }
    }
    yield* tool.print(`${text}${line === "" ? "" : `${line.trimEnd()}\n`}`);
    return 0;
  },
};
