// Dates as text: strftime.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { type CivilDate, civilDate } from "#sim/calendar.ts";

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const monthNames = "January February March April May June July August September October November December".split(" ");

const two = (value: number) => String(value).padStart(2, "0");

const weekday = (date: CivilDate) => dayNames[date.weekday] as string;

const month = (date: CivilDate) => monthNames[date.month - 1] as string;

const hour12 = (date: CivilDate) => (date.hour % 12 === 0 ? 12 : date.hour % 12);

const half = (date: CivilDate) => (date.hour < 12 ? "AM" : "PM");

const clock = (date: CivilDate) => `${two(date.hour)}:${two(date.minute)}:${two(date.second)}`;

const american = (date: CivilDate) => `${two(date.month)}/${two(date.day)}/${two(date.year % 100)}`;

/** The letters of strftime. */
const fields: { readonly [letter: string]: (date: CivilDate, epochMs: number) => string } = {
  a: (date) => weekday(date).slice(0, 3),
  A: weekday,
  b: (date) => month(date).slice(0, 3),
  h: (date) => month(date).slice(0, 3),
  B: month,
  c: (_date, epochMs) => formatDate("%a %b %e %H:%M:%S %Y", epochMs),
  C: (date) => two(Math.floor(date.year / 100)),
  d: (date) => two(date.day),
  D: american,
  x: american,
  e: (date) => String(date.day).padStart(2),
  F: (date) => `${date.year}-${two(date.month)}-${two(date.day)}`,
  G: (date) => String(date.year),
  Y: (date) => String(date.year),
  H: (date) => two(date.hour),
  I: (date) => two(hour12(date)),
  j: (date) => String(date.yearDay).padStart(3, "0"),
  k: (date) => String(date.hour).padStart(2),
  l: (date) => String(hour12(date)).padStart(2),
  m: (date) => two(date.month),
  M: (date) => two(date.minute),
  n: () => "\n",
  N: (date) => `${String(date.millisecond).padStart(3, "0")}000000`,
  p: half,
  P: (date) => asciiLowerCase(half(date)),
  r: (date) => `${two(hour12(date))}:${two(date.minute)}:${two(date.second)} ${half(date)}`,
  R: (date) => `${two(date.hour)}:${two(date.minute)}`,
  s: (_date, epochMs) => String(Math.floor(epochMs / 1000)),
  S: (date) => two(date.second),
  t: () => "\t",
  T: clock,
  X: clock,
  u: (date) => String(date.weekday === 0 ? 7 : date.weekday),
  w: (date) => String(date.weekday),
  y: (date) => two(date.year % 100),
  z: () => "+0000",
  Z: () => "UTC",
  "%": () => "%",
};

/** Formats as strftime in the C locale, time zone UTC. */
export function formatDate(format: string, epochMs: number): string {
  const date = civilDate(epochMs);
  return format.replace(/%([-_0^]?)(:*)(\d*)([a-zA-Z%])/gu, (all, flag: string, colons: string, width: string, letter: string) => {
    if (colons !== "" && letter === "z") return "+00:00".padEnd(6);
    const text = fields[letter]?.(date, epochMs);
    if (text === undefined) return all;
    if (letter === "N" && width !== "") return text.slice(0, Number(width));
    if (flag === "-") return text.replace(/^[0 ]+(?=.)/u, "");
    if (flag === "_") return text.replace(/^0+(?=.)/u, (zeros) => " ".repeat(zeros.length));
    if (flag === "^") return asciiUpperCase(text);
    return text;
  });
}
