// Dates as text: strftime, and what `date -d` understands.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { civilDate, daysFromCivil } from "#sim/calendar.ts";

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const monthNames = "January February March April May June July August September October November December".split(" ");

/** Formats as strftime in the C locale, time zone UTC. */
export function formatDate(format: string, epochMs: number): string {
  const date = civilDate(epochMs);
  const two = (value: number) => String(value).padStart(2, "0");
  const weekday = dayNames[date.weekday] as string;
  const month = monthNames[date.month - 1] as string;
  const hour12 = date.hour % 12 === 0 ? 12 : date.hour % 12;
  const one = (letter: string): string | undefined => {
    switch (letter) {
      case "a":
        return weekday.slice(0, 3);
      case "A":
        return weekday;
      case "b":
      case "h":
        return month.slice(0, 3);
      case "B":
        return month;
      case "c":
        return formatDate("%a %b %e %H:%M:%S %Y", epochMs);
      case "C":
        return two(Math.floor(date.year / 100));
      case "d":
        return two(date.day);
      case "D":
      case "x":
        return formatDate("%m/%d/%y", epochMs);
      case "e":
        return String(date.day).padStart(2);
      case "F":
        return `${date.year}-${two(date.month)}-${two(date.day)}`;
      case "G":
      case "Y":
        return String(date.year);
      case "H":
        return two(date.hour);
      case "I":
        return two(hour12);
      case "j":
        return String(date.yearDay).padStart(3, "0");
      case "k":
        return String(date.hour).padStart(2);
      case "l":
        return String(hour12).padStart(2);
      case "m":
        return two(date.month);
      case "M":
        return two(date.minute);
      case "n":
        return "\n";
      case "N":
        return `${String(date.millisecond).padStart(3, "0")}000000`;
      case "p":
        return date.hour < 12 ? "AM" : "PM";
      case "P":
        return date.hour < 12 ? "am" : "pm";
      case "r":
        return `${two(hour12)}:${two(date.minute)}:${two(date.second)} ${date.hour < 12 ? "AM" : "PM"}`;
      case "R":
        return `${two(date.hour)}:${two(date.minute)}`;
      case "s":
        return String(Math.floor(epochMs / 1000));
      case "S":
        return two(date.second);
      case "t":
        return "\t";
      case "T":
      case "X":
        return `${two(date.hour)}:${two(date.minute)}:${two(date.second)}`;
      case "u":
        return String(date.weekday === 0 ? 7 : date.weekday);
      case "w":
        return String(date.weekday);
      case "y":
        return two(date.year % 100);
      case "z":
        return "+0000";
      case "Z":
        return "UTC";
      case "%":
        return "%";
      default:
        return undefined;
    }
  };
  return format.replace(/%([-_0^]?)(:*)(\d*)([a-zA-Z%])/gu, (all, flag: string, colons: string, width: string, letter: string) => {
    if (colons !== "" && letter === "z") return "+00:00".padEnd(6);
    const text = one(letter);
    if (text === undefined) return all;
    if (letter === "N" && width !== "") return text.slice(0, Number(width));
    if (flag === "-") return text.replace(/^[0 ]+(?=.)/u, "");
    if (flag === "_") return text.replace(/^0+(?=.)/u, (zeros) => " ".repeat(zeros.length));
    if (flag === "^") return asciiUpperCase(text);
    return text;
  });
}

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
    const move = /^([-+]?\s*\d+|next|last)\s*(sec|second|min|minute|hour|day|week|month|year)s?(\s+ago)?\s*/u.exec(rest);
    if (word !== null) {
      if (word[1] === "tomorrow") base += 86_400_000;
      if (word[1] === "yesterday") base -= 86_400_000;
      rest = rest.slice(word[0].length);
    } else if (move !== null) {
      const amount = move[1] === "next" ? 1 : move[1] === "last" ? -1 : Number((move[1] as string).replace(/\s/gu, ""));
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
