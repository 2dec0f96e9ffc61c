// Points in time as the wire format writes them, from and to milliseconds since the epoch, without Date.

import { civilDate, daysFromCivil } from "#sim/calendar.ts";

const secondMs = 1000;
const dayMs = 86_400_000;

/** `2026-01-02T03:04:05Z`: how metav1.Time is written; fractions of a second are dropped. */
export function formatTime(ms: number): string {
  return `${formatSeconds(ms)}Z`;
}

/** `2026-01-02T03:04:05.000000Z`: how metav1.MicroTime is written. */
export function formatMicroTime(ms: number): string {
  const fraction = modulo(Math.floor(ms), secondMs);
  return `${formatSeconds(ms)}.${String(fraction).padStart(3, "0")}000Z`;
}

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Milliseconds since the epoch of an RFC 3339 time in any zone (capital letters only, as Go), or undefined when it is not one. Finer fractions are cut. */
export function tryParseTime(text: string): number | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6]);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59) return undefined;
  const zoneHour = Number(match[9] ?? 0);
  const zoneMinute = Number(match[10] ?? 0);
  if (zoneHour > 24 || zoneMinute > 60) return undefined;
  const zone = (zoneHour * 60 + zoneMinute) * 60_000 * (match[8] === "-" ? -1 : 1);
  const fraction = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  return daysFromCivil(year, month, day) * dayMs + hour * 3_600_000 + minute * 60_000 + second * secondMs + fraction - zone;
}

/** Milliseconds since the epoch of a time that was written by the API server. Throws on anything else: a programmer's error. */
export function parseTime(text: string): number {
  const ms = tryParseTime(text);
  if (ms === undefined) throw new RangeError(`not an RFC 3339 time: ${text}`);
  return ms;
}

export function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

let lastSecond = Number.NaN;
let lastText = "";

/** The clock stands still while many objects are written: the text of the last second is kept. */
function formatSeconds(ms: number): string {
  const second = Math.floor(ms / secondMs);
  if (second === lastSecond) return lastText;
  const t = civilDate(second * secondMs);
  lastSecond = second;
  lastText = `${String(t.year).padStart(4, "0")}-${two(t.month)}-${two(t.day)}T${two(t.hour)}:${two(t.minute)}:${two(t.second)}`;
  return lastText;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
