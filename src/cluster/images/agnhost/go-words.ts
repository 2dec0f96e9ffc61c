// How Go programs write times, durations, quoted texts and JSON.

import { civilDate } from "#sim/calendar.ts";
import type { Process } from "#sim/program.ts";
import { writeWithoutWaiting } from "../log-line.ts";

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** `2026-01-01 00:00:00.5 +0000 UTC m=+1.5`, time.Time's own text. */
export function goTime(nowMs: number, startedMs: number): string {
  const { year, month, day, hour, minute, second } = civilDate(nowMs);
  const fraction = (nowMs % 1000) / 1000;
  const tail = fraction === 0 ? "" : String(fraction.toFixed(3)).slice(1).replace(/0+$/u, "");
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}${tail} +0000 UTC m=+${((nowMs - startedMs) / 1000).toFixed(9)}`;
}

const factors: { readonly [unit: string]: number } = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 0.001,
  µs: 0.001,
  ns: 0.000_001,
};

/** Milliseconds of `1h2m3.5s`; undefined when it is none. */
export function readDuration(text: string): number | undefined {
  const [, sign = "", amounts = ""] = /^([+-]?)(.*)$/u.exec(text) ?? [];
  if (amounts === "0") return 0;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ms|us|µs|ns|[hms]))+$/u.test(amounts)) return undefined;
  let total = 0;
  for (const [, amount, unit] of amounts.matchAll(/(\d+\.?\d*|\.\d+)(ms|us|µs|ns|[hms])/gu))
    total += Number(amount) * (factors[unit as string] as number);
  return sign === "-" ? -total : total;
}

/** time.Duration's own text. */
export function durationText(ms: number): string {
  if (ms > 0 && ms < 1000) return `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = `${(ms % 60_000) / 1000}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

/** `%q` of a text of printable characters, line ends and tabs. */
export function goQuoted(text: string): string {
  return JSON.stringify(text);
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** encoding/json of maps and lists: keys in their order, without spaces, "<", ">" and "&" escaped. */
export function goJson(value: Json): string {
  return JSON.stringify(sorted(value)).replace(
    /[<>&\u2028\u2029]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value as { readonly [key: string]: Json | undefined });
  return Object.fromEntries(
    entries
      .flatMap(([key, each]) => (each === undefined ? [] : [[key, sorted(each)] as const]))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The head of a line of klog: `I0101 00:00:00.000000       1 main.go:42] `. */
export function klogHead(self: Process, level: "I" | "W" | "E" | "F", where: string): string {
  const { month, day, hour, minute, second } = civilDate(self.nowMs);
  const fraction = `${String(Math.floor(self.nowMs) % 1000).padStart(3, "0")}000`;
  const pid = String(self.pid).padStart(7);
  return `${level}${two(month)}${two(day)} ${two(hour)}:${two(minute)}:${two(second)}.${fraction} ${pid} ${where}] `;
}

/** Line of klog, from wherever one must not wait. */
export function klogLine(self: Process, level: "I" | "W" | "E", where: string, text: string): void {
  writeWithoutWaiting(self, 2, `${klogHead(self, level, where)}${text}${text.endsWith("\n") ? "" : "\n"}`);
}
