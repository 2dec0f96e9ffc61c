// What `date -d` understands.

import { asciiLowerCase } from "#sim/ascii.ts";
import { civilDate, daysFromCivil } from "#sim/calendar.ts";

const words: ReadonlyMap<string, number> = new Map([
  ["next", 1],
  ["last", -1],
]);

const relativeUnits: { readonly [unit: string]: number } = {
  sec: 1,
  second: 1,
  min: 60,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
};

/** Reads what `date -d` takes: `@seconds`, ISO dates and times, `now`, and "2 days ago" forms. Undefined: not understood. */
export function parseDate(text: string, nowMs: number): number | undefined {
  let rest = asciiLowerCase(text.trim());
  let base = nowMs;
  const epoch = /^@(-?\d+(?:\.\d+)?)\s*/u.exec(rest);
  const iso =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[t ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?)?\s*(z|utc|gmt|[-+]\d{2}:?\d{2})?\s*/u.exec(
      rest,
    );
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?\s*/u.exec(rest);
  const midnight = Math.floor(nowMs / 86_400_000) * 86_400_000;
  if (epoch !== null) {
    base = Number(epoch[1]) * 1000;
    rest = rest.slice(epoch[0].length);
  } else if (iso !== null) {
    const [all, year, month, day, hour, minute, second, fraction, zone] = iso;
    if (Number(month) > 12 || Number(month) < 1 || Number(day) > 31 || Number(hour ?? 0) > 23) return undefined;
    base = daysFromCivil(Number(year), Number(month), Number(day)) * 86_400_000;
    base += Number(hour ?? 0) * 3_600_000 + Number(minute ?? 0) * 60_000 + Number(second ?? 0) * 1000;
    base += Number(`0.${fraction ?? 0}`) * 1000;
    const offset = /([-+])(\d{2}):?(\d{2})/u.exec(zone ?? "");
    if (offset !== null) base -= (offset[1] === "-" ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3])) * 60_000;
    rest = rest.slice(all.length);
  } else if (clock !== null) {
    base = midnight + Number(clock[1]) * 3_600_000 + Number(clock[2]) * 60_000 + Number(clock[3] ?? 0) * 1000;
    rest = rest.slice(clock[0].length);
  }
  while (rest !== "") {
    const word = /^(now|today|tomorrow|yesterday|utc|z)\b\s*/u.exec(rest);
    const move = /^([-+]?\s*\d+|next|last)\s*(second|sec|minute|min|hour|day|week|month|year)s?\b(\s+ago\b)?\s*/u.exec(rest);
    if (word !== null) {
      if (word[1] === "tomorrow") base += 86_400_000;
      if (word[1] === "yesterday") base -= 86_400_000;
      rest = rest.slice(word[0].length);
    } else if (move !== null) {
      const amount = words.get(move[1] as string) ?? Number((move[1] as string).replace(/\s/gu, ""));
      base = shift(base, move[3] === undefined ? amount : -amount, move[2] as string);
      rest = rest.slice(move[0].length);
    } else return undefined;
  }
  return base;
}

function shift(epochMs: number, amount: number, unit: string): number {
  const seconds = relativeUnits[unit];
  if (seconds !== undefined) return epochMs + amount * seconds * 1000;
  const date = civilDate(epochMs);
  const months = unit === "year" ? amount * 12 : amount;
  return (
    daysFromCivil(date.year, date.month + months, date.day) * 86_400_000 + (epochMs - Math.floor(epochMs / 86_400_000) * 86_400_000)
  );
}
