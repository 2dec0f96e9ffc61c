// When a schedule is due (github.com/robfig/cron/v3, SpecSchedule.Next). Texts are those that the API server has let in.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { civilDate } from "#sim/calendar.ts";
import { type Bounds, bounds, numberOf } from "./schedule-faults.ts";
import { zoneOffsetMs } from "./time-zones.ts";

export interface Schedule {
  /** The first time after this one; undefined when there is none within five years. */
  next(afterMs: number): number | undefined;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const searchDays = 5 * 366;

const descriptors: { readonly [name: string]: string } = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** `zone`: an IANA name; the controller manager's own zone is UTC. Undefined for a text that is no schedule. */
export function parseSchedule(text: string, zone = "UTC"): Schedule | undefined {
  const prefix = /^(?:CRON_)?TZ=(\S+) +/.exec(text);
  if (prefix !== null) return parseSchedule(text.slice(prefix[0].length), prefix[1] as string);
  if (text.startsWith("@every ")) {
    const parsed = parseGoDuration(text.slice("@every ".length));
    if ("error" in parsed) return undefined;
    const everyMs = Math.max(1000, Math.floor(parsed.ms / 1000) * 1000);
    return { next: (afterMs) => Math.floor(afterMs / 1000) * 1000 + everyMs };
  }
  const fields = (descriptors[text] ?? text).split(/\s+/).filter((part) => part !== "");
  if (fields.length !== bounds.length) return undefined;
  return new FieldSchedule(fields, zone);
}

interface Field {
  readonly values: ReadonlySet<number>;
  /** Says nothing: `*` or `?`. */
  readonly isAny: boolean;
}

class FieldSchedule implements Schedule {
  readonly #minutes: readonly number[];
  readonly #hours: readonly number[];
  readonly #days: Field;
  readonly #months: Field;
  readonly #weekdays: Field;
  readonly #zone: string;

  constructor(fields: readonly string[], zone: string) {
    const [minutes, hours, days, months, weekdays] = fields.map((text, index) => parseField(text, bounds[index] as Bounds));
    const ascending = (field: Field | undefined): readonly number[] => [...(field as Field).values].sort((a, b) => a - b);
    this.#minutes = ascending(minutes);
    this.#hours = ascending(hours);
    this.#days = days as Field;
    this.#months = months as Field;
    this.#weekdays = weekdays as Field;
    this.#zone = zone;
  }

  next(afterMs: number): number | undefined {
    let localMs = afterMs + zoneOffsetMs(this.#zone, afterMs);
    const lastMs = localMs + searchDays * dayMs;
    for (;;) {
      const found = this.#nextLocal(localMs, lastMs);
      if (found === undefined) return undefined;
      const dueMs = this.#toUtc(found);
      // Hours that the clocks leave out are passed over; those that they repeat count once.
      if (dueMs !== undefined && dueMs > afterMs) return dueMs;
      localMs = found;
    }
  }

  #toUtc(localMs: number): number | undefined {
    for (const guessMs of [
      localMs - zoneOffsetMs(this.#zone, localMs - dayMs / 2),
      localMs - zoneOffsetMs(this.#zone, localMs + dayMs / 2),
    ]) {
      if (guessMs + zoneOffsetMs(this.#zone, guessMs) === localMs) return guessMs;
    }
    return undefined;
  }

  /** The next time as the clocks on the wall show it. */
  #nextLocal(afterMs: number, lastMs: number): number | undefined {
    const firstMs = (Math.floor(afterMs / minuteMs) + 1) * minuteMs;
    for (let day = Math.floor(firstMs / dayMs); day * dayMs <= lastMs; day += 1) {
      if (!this.#isDay(day)) continue;
      for (const hour of this.#hours) {
        for (const minute of this.#minutes) {
          const atMs = day * dayMs + (hour * 60 + minute) * minuteMs;
          if (atMs >= firstMs) return atMs;
        }
      }
    }
    return undefined;
  }

  /** Where both kinds of days are given, one of them is enough. */
  #isDay(epochDay: number): boolean {
    const { month, day, weekday } = civilDate(epochDay * dayMs);
    if (!this.#months.values.has(month)) return false;
    const [byDay, byWeekday] = [this.#days.values.has(day), this.#weekdays.values.has(weekday)];
    return this.#days.isAny || this.#weekdays.isAny ? byDay && byWeekday : byDay || byWeekday;
  }
}

function parseField(text: string, bound: Bounds): Field {
  const values = new Set<number>();
  let isAny = false;
  for (const part of text.split(",").filter((one) => one !== "")) {
    const [range = "", stepText] = part.split("/");
    const step = stepText === undefined ? 1 : Number(stepText);
    const star = range === "*" || range === "?";
    if (star && step === 1) isAny = true;
    const [first = "", last] = range.split("-");
    const from = star ? bound.min : numberOf(first, bound.names ?? []);
    let to = star ? bound.max : numberOf(last ?? first, bound.names ?? []);
    if (!star && last === undefined && stepText !== undefined) to = bound.max;
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return { values, isAny };
}
