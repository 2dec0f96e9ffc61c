// Lines that programs built on Kubernetes' libraries log: `W1121 20:50:05.123000    1234 helpers.go:719] …`.

import { civilDate } from "#sim/calendar.ts";
import type { Process } from "#sim/program.ts";

/** `place` is the file and line of upstream that logs it. */
export function klogLine(self: Pick<Process, "nowMs" | "pid">, severity: "I" | "W" | "E", place: string, message: string): string {
  return `${klogText(self, severity, place, message)}\n`;
}

/** The same without the newline, for whoever is no process. */
export function klogText(self: Pick<Process, "nowMs" | "pid">, severity: "I" | "W" | "E", place: string, message: string): string {
  const two = (value: number, width = 2) => String(value).padStart(width, "0");
  const time = civilDate(self.nowMs);
  const clock = `${two(time.hour)}:${two(time.minute)}:${two(time.second)}.${two(time.millisecond, 3)}000`;
  return `${severity}${two(time.month)}${two(time.day)} ${clock} ${String(self.pid).padStart(7)} ${place}] ${message}`;
}
