// The date forms of web servers: HTTP headers, access logs, error logs. All in UTC.

import { civilDate } from "#sim/calendar.ts";

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const dayMs = 86_400_000;

function pad(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

interface Remembered {
  second: number;
  text: string;
}

/** Servers print the same second again and again. */
function bySecond(format: (ms: number) => string): (ms: number) => string {
  const last: Remembered = { second: -1, text: "" };
  return (ms) => {
    const second = Math.floor(ms / 1000);
    if (second !== last.second) {
      last.text = format(ms);
      last.second = second;
    }
    return last.text;
  };
}

/** `Thu, 01 Jan 2026 00:00:00 GMT` */
export const httpDate = bySecond((ms) => {
  const { year, month, day, hour, minute, second } = civilDate(ms);
  const weekday = days[(((Math.floor(ms / dayMs) + 4) % 7) + 7) % 7];
  return `${weekday}, ${pad(day)} ${months[month - 1]} ${year} ${pad(hour)}:${pad(minute)}:${pad(second)} GMT`;
});

/** `01/Jan/2026:00:00:00 +0000` */
export const commonLogDate = bySecond((ms) => {
  const { year, month, day, hour, minute, second } = civilDate(ms);
  return `${pad(day)}/${months[month - 1]}/${year}:${pad(hour)}:${pad(minute)}:${pad(second)} +0000`;
});

/** `2026/01/01 00:00:00` */
export const slashedDate = bySecond((ms) => {
  const { year, month, day, hour, minute, second } = civilDate(ms);
  return `${year}/${pad(month)}/${pad(day)} ${pad(hour)}:${pad(minute)}:${pad(second)}`;
});
