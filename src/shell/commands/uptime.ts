import { formatDate } from "../text/date-text.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const pad2 = (value: number) => String(value).padStart(2, "0");

export const uptime: CommandDefinition = {
  name: "uptime",
  options: "p,pretty s,since",
  *run(tool) {
    const started = Math.min(...tool.self.processes().map((info) => info.startedMs));
    const minutes = Math.floor((tool.self.nowMs - started) / 60_000);
    const up = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)}:${pad2(minutes % 60)}`;
    yield* tool.print(` ${formatDate("%T", tool.self.nowMs)} up ${up},  1 user,  load average: 0.00, 0.00, 0.00\n`);
    return 0;
  },
};
