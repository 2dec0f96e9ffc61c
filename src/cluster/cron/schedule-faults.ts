// Whether a text is a schedule, in the words of the parser that upstream uses (github.com/robfig/cron/v3, ParseStandard).

import { parseGoDuration } from "#cluster/api/duration.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { isTimeZone } from "./time-zones.ts";

export interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Minute, hour, day of the month, month, day of the week. */
export const bounds: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ["", ...months] },
  { min: 0, max: 6, names: days },
];

const descriptors = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/** What the parser says of a text that is no schedule; undefined when it is one. */
export function scheduleFault(text: string): string | undefined {
  if (text === "") return "empty spec string";
  if (!text.startsWith("TZ=") && !text.startsWith("CRON_TZ=")) return bareFault(text);
  const blank = text.indexOf(" ");
  if (blank < 0) return "invalid schedule format: runtime error: slice bounds out of range [:-1]";
  const zone = text.slice(text.indexOf("=") + 1, blank);
  if (zone !== "" && zone !== "Local" && !isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
  return bareFault(text.slice(blank).trim());
}

function bareFault(text: string): string | undefined {
  if (text.startsWith("@")) return descriptorFault(text);
  const fields = text.split(/\s+/).filter((part) => part !== "");
  if (fields.length !== 5) return `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
  for (const [index, bound] of bounds.entries()) {
    for (const range of (fields[index] as string).split(",")) {
      const fault = range === "" ? undefined : rangeFault(range, bound);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function descriptorFault(text: string): string | undefined {
  if (descriptors.includes(text)) return undefined;
  if (!text.startsWith("@every ")) return `unrecognized descriptor: ${text}`;
  const parsed = parseGoDuration(text.slice("@every ".length));
  return "error" in parsed ? `failed to parse duration ${text}: ${parsed.error}` : undefined;
}

/** One of `*`, `5`, `1-5`, each with a step, `/2`, if need be. */
function rangeFault(text: string, { min, max, names = [] }: Bounds): string | undefined {
  const parts = text.split("/");
  const ends = (parts[0] as string).split("-");
  const isAny = ends[0] === "*" || ends[0] === "?";
  if (!isAny) {
    const fault = ends
      .slice(0, 2)
      .map((end) => numberFault(end, names))
      .find((one) => one !== undefined);
    if (fault !== undefined) return fault;
    if (ends.length > 2) return `too many hyphens: ${text}`;
  }
  const start = isAny ? min : numberOf(ends[0] as string, names);
  let end = isAny ? max : numberOf(ends.at(-1) as string, names);
  let step = 1;
  if (parts.length > 2) return `too many slashes: ${text}`;
  if (parts.length === 2) {
    const fault = numberFault(parts[1] as string, []);
    if (fault !== undefined) return fault;
    step = Number(parts[1]);
    // `5/15` starts at 5 and goes on to the end.
    if (ends.length === 1) end = max;
  }
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${text}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${text}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`;
  return step === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

/** A number or one of the names. */
export function numberOf(text: string, names: readonly string[]): number {
  const named = names.indexOf(asciiLowerCase(text));
  return text !== "" && named >= 0 ? named : Number(text);
}

function numberFault(text: string, names: readonly string[]): string | undefined {
  if (text !== "" && names.includes(asciiLowerCase(text))) return undefined;
  if (!/^[+-]?[0-9]+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  }
  return Number(text) < 0 ? `negative number (${Number(text)}) not allowed: ${text}` : undefined;
}
