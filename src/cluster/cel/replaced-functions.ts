// Functions for which the library asks the engine: how it reads regular expressions and dates, what it knows of time zones, on which
// zone the reader's clock is. In their place stand ours, which answer as cel-go does. The library lets nobody replace a function of its
// own, so expressions call ours by other names.

import { type Environment, EvaluationError } from "@marcbachmann/cel-js";
import { goRegExp } from "#cluster/api/go-regexp/go-regexp.ts";
import { formatTime, tryParseTime } from "#cluster/api/time.ts";
import { isTimeZone, zoneOffsetMs } from "#cluster/cron/time-zones.ts";
import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { type CivilDate, civilDate } from "#sim/calendar.ts";

const mark = "__";
const timestampType = "google.protobuf.Timestamp";

/** What the library takes for a time. */
interface Timestamp {
  getTime(): number;
}

const parts: { readonly [name: string]: (date: CivilDate) => number } = {
  getDate: ({ day }) => day,
  getDayOfMonth: ({ day }) => day - 1,
  getDayOfWeek: ({ weekday }) => weekday,
  getDayOfYear: ({ yearDay }) => yearDay - 1,
  getFullYear: ({ year }) => year,
  getHours: ({ hour }) => hour,
  getMilliseconds: ({ millisecond }) => millisecond,
  getMinutes: ({ minute }) => minute,
  getMonth: ({ month }) => month - 1,
  getSeconds: ({ second }) => second,
};

export function addReplacedFunctions(environment: Environment): void {
  const matches = (text: string, pattern: string): boolean => goRegExp(pattern).test(text);
  environment
    .registerFunction(`string.${mark}matches(string): bool`, matches)
    .registerFunction(`${mark}matches(string, string): bool`, matches)
    .registerFunction(`string.${mark}substring(int): string`, substring)
    .registerFunction(`string.${mark}substring(int, int): string`, substring)
    .registerFunction(`string.${mark}lowerAscii(): string`, asciiLowerCase)
    .registerFunction(`string.${mark}upperAscii(): string`, asciiUpperCase)
    .registerFunction(`${timestampType}.${mark}getDayOfYear(): int`, (time: Timestamp) =>
      BigInt(civilDate(time.getTime()).yearDay - 1),
    )
    .registerFunction(`${mark}timestamp(string): ${timestampType}`, (text: string) => readTime(environment, text))
    .registerFunction(`${mark}timestamp(int): ${timestampType}`, (seconds: bigint) => environment.evaluate(`timestamp(${seconds})`))
    .registerFunction(`${mark}timestamp(${timestampType}): ${timestampType}`, (time: Timestamp) => time)
    // Of cel-go's conversions of times, the one that the library has not: whole seconds since 1970.
    .registerFunction(`int(${timestampType}): int`, (time: Timestamp) => BigInt(Math.floor(time.getTime() / 1000)));
  for (const [name, part] of Object.entries(parts)) {
    environment.registerFunction(`${timestampType}.${mark}${name}(string): int`, (time: Timestamp, zone: string) => {
      const ms = time.getTime();
      return BigInt(part(civilDate(ms + offsetMs(zone, ms))));
    });
  }
}

/** The library reads what is left to it as the language's standard has it. */
function readTime(environment: Environment, text: string): unknown {
  const ms = tryParseTime(text);
  if (ms === undefined) throw new EvaluationError("type conversion error from 'string' to 'google.protobuf.Timestamp'");
  const thousandths = String(civilDate(ms).millisecond).padStart(3, "0");
  return environment.evaluate(`timestamp("${formatTime(ms).replace("Z", `.${thousandths}Z`)}")`);
}

/** A zone's name or `+01:00`, `02:00`, `-05:30`. */
function offsetMs(zone: string, ms: number): number {
  const [hours = "", minutes] = zone.split(":");
  if (minutes === undefined) {
    if (zone !== "" && !isTimeZone(zone)) throw new EvaluationError(`unknown time zone ${zone}`);
    return zoneOffsetMs(zone, ms);
  }
  if (!/^[-+]?\d+$/.test(hours)) throw new EvaluationError(`strconv.Atoi: parsing ${JSON.stringify(hours)}: invalid syntax`);
  if (!/^[-+]?\d+$/.test(minutes)) throw new EvaluationError(`strconv.Atoi: parsing ${JSON.stringify(minutes)}: invalid syntax`);
  const size = Number(minutes);
  return (Number(hours) * 60 + (hours.startsWith("-") ? -size : size)) * 60_000;
}

/** From one character to another; the library counts in UTF-16. */
function substring(text: string, start: bigint, end?: bigint): string {
  const characters = [...text];
  const last = end ?? BigInt(characters.length);
  if (end !== undefined && start > end) throw new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  for (const place of [start, last]) {
    if (place < 0n || place > BigInt(characters.length)) throw new EvaluationError(`index out of range: ${place}`);
  }
  return characters.slice(Number(start), Number(last)).join("");
}

function isReplacedCall(name: unknown, count: number): boolean {
  return (name === "timestamp" && count === 1) || (name === "matches" && count === 2);
}

/** Calls in a parsed expression that are ours: `matches` (both ways), `substring`, `getX(zone)`, `timestamp(x)`. Changes the tree. */
export function callReplaced(node: unknown): void {
  if (Array.isArray(node)) {
    node.forEach(callReplaced);
    return;
  }
  if (typeof node !== "object" || node === null || !("op" in node) || !("args" in node)) return;
  callReplaced(node.args);
  if (!Array.isArray(node.args)) return;
  const [name] = node.args;
  if (node.op === "call" && isReplacedCall(name, node.args[1].length)) node.args[0] = mark + name;
  if (node.op !== "rcall") return;
  const { length } = node.args[2];
  const isReplaced =
    (name === "matches" && length === 1) ||
    (name === "substring" && (length === 1 || length === 2)) ||
    ((name === "lowerAscii" || name === "upperAscii") && length === 0) ||
    (Object.hasOwn(parts, name) && length === 1) ||
    (name === "getDayOfYear" && length === 0);
  if (isReplaced) node.args[0] = mark + name;
}

/** What the library says of our functions, with the names that the author wrote. */
export function plainNames(text: string): string {
  return text.replace(/\b__(?=(?:matches|timestamp|substring|lowerAscii|upperAscii)\(|get[A-Z])/g, "");
}
