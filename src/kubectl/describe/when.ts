// Times as descriptions print them.

import { humanDuration } from "#cluster/api/duration.ts";
import { parseTime } from "#cluster/api/time.ts";
import { civilDate } from "#sim/calendar.ts";

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** RFC 1123 with a numeric zone, `Thu, 01 Jan 2026 00:00:00 +0000`; the zero time of Go for an absent one. */
export function longTime(time: string | undefined): string {
  if (time === undefined) return "Mon, 01 Jan 0001 00:00:00 +0000";
  const at = civilDate(parseTime(time));
  const two = (value: number): string => String(value).padStart(2, "0");
  const clock = `${two(at.hour)}:${two(at.minute)}:${two(at.second)}`;
  return `${weekdays[at.weekday]}, ${two(at.day)} ${months[at.month - 1]} ${String(at.year).padStart(4, "0")} ${clock} +0000`;
}

/** How long ago, `5m3s`; `<unknown>` for an absent time. */
export function since(time: string | undefined, nowMs: number): string {
  return time === undefined ? "<unknown>" : humanDuration(nowMs - parseTime(time));
}
