// The log lines of redis-server.

import { civilDate } from "#sim/calendar.ts";
import type { Process } from "#sim/program.ts";
import { writeWithoutWaiting } from "../log-line.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** `*` is a notice, `#` a warning; role C starts or saves, M is the master. */
export function log(self: Process, role: "C" | "M", level: "*" | "#", message: string): void {
  const { year, month, day, hour, minute, second, millisecond } = civilDate(self.nowMs);
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = `${two(day)} ${months[month - 1]} ${year} ${two(hour)}:${two(minute)}:${two(second)}.${String(millisecond).padStart(3, "0")}`;
  writeWithoutWaiting(self, 1, `${self.pid}:${role} ${date} ${level} ${message}\n`);
}
