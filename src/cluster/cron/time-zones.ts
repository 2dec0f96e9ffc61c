// Time zones by their names, from the table that the simulated release's Go brings along (package time/tzdata): what a browser knows
// of zones depends on its version.

import { civilDate, daysFromCivil } from "#sim/calendar.ts";
import { firstYear, zoneTable } from "./zone-tables.ts";

const dayMs = 86_400_000;
const startMs = daysFromCivil(firstYear, 1, 1) * dayMs;

interface Zone {
  /** From when on which offset holds, in order; the first one held before, too. */
  readonly changes: readonly { readonly fromMs: number; readonly offsetMs: number }[];
  /** After the last change. */
  readonly rule: Rule;
}

interface Rule {
  readonly offsetMs: number;
  readonly summer?: { readonly offsetMs: number; readonly begin: YearlyChange; readonly end: YearlyChange };
}

/** A time of every year: in a month its nth such weekday (5 is the last), and how long after midnight by the clock that is changed. */
interface YearlyChange {
  readonly month: number;
  readonly week: number;
  readonly weekday: number;
  readonly afterMs: number;
}

let lines: ReadonlyMap<string, string> | undefined;
const zones = new Map<string, Zone>();

function lineOf(name: string): string | undefined {
  lines ??= new Map(
    zoneTable.split("\n").flatMap((line) => {
      const end = line.lastIndexOf("|");
      return line
        .slice(end + 1)
        .split(" ")
        .map((each) => [each, line.slice(0, end)] as const);
    }),
  );
  return lines.get(name);
}

/** Go's time.LoadLocation: names are files on a real server, so their case counts, and offsets such as `+01` are none. */
export function isTimeZone(name: string): boolean {
  return lineOf(name) !== undefined;
}

/** How far a zone's clocks are ahead of UTC at a time, in milliseconds; 0 for a name that is none, as on a machine that runs on UTC. */
export function zoneOffsetMs(name: string, epochMs: number): number {
  let zone = zones.get(name);
  if (zone === undefined) {
    const line = lineOf(name);
    if (line === undefined) return 0;
    zone = readZone(line);
    zones.set(name, zone);
  }
  const { changes, rule } = zone;
  const next = changes.findIndex(({ fromMs }) => fromMs > epochMs);
  if (next < 0) return offsetByRule(rule, epochMs);
  return (changes[Math.max(0, next - 1)] as Zone["changes"][number]).offsetMs;
}

function readZone(line: string): Zone {
  const [rule = "", first = "", later = ""] = line.split("|");
  let minutes = 0;
  const changes = later
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => {
      const [gap = "", seconds = ""] = word.split(":");
      minutes += Number.parseInt(gap, 36);
      return { fromMs: startMs + minutes * 60_000, offsetMs: Number(seconds) * 1000 };
    });
  return {
    changes: changes.length === 0 ? [] : [{ fromMs: startMs, offsetMs: Number(first) * 1000 }, ...changes],
    rule: readRule(rule),
  };
}

/** `CET-1CEST,M3.5.0,M10.5.0/3`: POSIX counts westwards, and summer is an hour ahead unless it says otherwise. */
function readRule(text: string): Rule {
  const [names = "", begin, end] = text.split(",");
  const words = /^(?:[A-Za-z]+|<[^>]+>)([-+\d:]+)(?:(?:[A-Za-z]+|<[^>]+>)([-+\d:]*))?$/.exec(names);
  if (words === null) throw new RangeError(`not a rule of a zone: ${text}`);
  const offsetMs = 0 - clockMs(words[1] as string);
  if (begin === undefined || end === undefined) return { offsetMs };
  const summerMs = words[2] === "" || words[2] === undefined ? offsetMs + 3_600_000 : 0 - clockMs(words[2]);
  return { offsetMs, summer: { offsetMs: summerMs, begin: readChange(begin), end: readChange(end) } };
}

function readChange(text: string): YearlyChange {
  const words = /^M(\d+)\.(\d)\.(\d)(?:\/([-+\d:]+))?$/.exec(text);
  if (words === null) throw new RangeError(`not a change of every year: ${text}`);
  const [month = 0, week = 0, weekday = 0] = words.slice(1, 4).map(Number);
  return { month, week, weekday, afterMs: clockMs(words[4] ?? "2") };
}

/** `-3:30` */
function clockMs(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(/^[-+]/, "").split(":").map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 * (text.startsWith("-") ? -1 : 1);
}

function offsetByRule({ offsetMs, summer }: Rule, epochMs: number): number {
  if (summer === undefined) return offsetMs;
  const { year } = civilDate(epochMs + offsetMs);
  const beginMs = changeMs(summer.begin, year) - offsetMs;
  const endMs = changeMs(summer.end, year) - summer.offsetMs;
  const isSummer = beginMs < endMs ? epochMs >= beginMs && epochMs < endMs : epochMs >= beginMs || epochMs < endMs;
  return isSummer ? summer.offsetMs : offsetMs;
}

/** By the clock before the change. */
function changeMs({ month, week, weekday, afterMs }: YearlyChange, year: number): number {
  const first = daysFromCivil(year, month, 1);
  const firstSuch = first + ((((weekday - first - 4) % 7) + 7) % 7);
  const last = daysFromCivil(year, month + 1, 1) - 1;
  const day = firstSuch + 7 * (week - 1);
  return (day > last ? day - 7 : day) * dayMs + afterMs;
}
