// journalctl and dmesg on the cluster's machines: what the kubelet, containerd and the kernel have logged there. Words as
// systemd 257 and util-linux have them; what the real ones have beyond this is refused by name.

import { parseGoDuration } from "#cluster/api/duration.ts";
import type { Journal, JournalEntry, JournalUnit } from "#cluster/node/host/journal.ts";
import { civilDate, daysFromCivil } from "#sim/calendar.ts";
import { hostKernels, type MachineArchitecture } from "#sim/kernel-release.ts";
import type { Process, Program, Sys } from "#sim/program.ts";

/** What they need of a machine. */
export interface JournalMachine {
  readonly machine: {
    readonly name: string;
    readonly startedMs: number;
    readonly journal: Journal;
    readonly architecture: MachineArchitecture;
  };
}

const dayMs = 86_400_000;
const pollMs = 250;
const followedLines = 10;
const allUnits: readonly JournalUnit[] = ["kernel", "kubelet", "containerd"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** A call that cannot be carried out. */
class Refusal extends Error {}

interface Call {
  readonly units: readonly JournalUnit[];
  readonly lines: number;
  readonly follow: boolean;
  readonly reverse: boolean;
  readonly output: string;
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Long names of options by their letters; `=`: takes a value. */
const options: { readonly [name: string]: string } = {
  u: "unit=",
  n: "lines=",
  f: "follow",
  r: "reverse",
  k: "dmesg",
  o: "output=",
  S: "since=",
  U: "until=",
  e: "pager-end",
  x: "catalog",
  b: "boot",
  q: "quiet",
};
/** What they ask for is so here anyway: no pager, whole lines, no catalog. */
const idle = ["no-pager", "catalog", "quiet", "no-hostname", "all", "full"];

const outputs: { readonly [name: string]: (entry: JournalEntry, host: string) => string } = {
  short: shortText,
  "short-iso": (entry, host) => `${isoDate(entry.timeMs)}+00:00 ${head(entry, host)}`,
  "short-precise": (entry, host) =>
    `${shortDate(entry.timeMs)}.${String(entry.timeMs % 1000).padStart(3, "0")}000 ${head(entry, host)}`,
  cat: (entry) => entry.form(entry),
};

/** A line as it is shown unless another form is asked for. */
export function shortText(entry: JournalEntry, host: string): string {
  return `${shortDate(entry.timeMs)} ${head(entry, host)}`;
}

function head(entry: JournalEntry, host: string): string {
  return `${host} ${entry.identifier}${entry.pid === 0 ? "" : `[${entry.pid}]`}: ${entry.form(entry)}`;
}

export function journalctl(find: (hostname: string) => JournalMachine | undefined): Program {
  return function* (self) {
    const found = find(self.hostname);
    if (found === undefined) return yield* fail(self, "journalctl: this machine is not a node of the cluster");
    const { journal, name, startedMs } = found.machine;
    try {
      const call = readCall(self.argv.slice(1), self.nowMs, startedMs);
      const write = outputs[call.output] as (entry: JournalEntry, host: string) => string;
      let boot = "";
      const text = (entries: readonly JournalEntry[]) => {
        const lines = entries.map((entry) => {
          const { id } = journal.bootOf(entry);
          const mark = boot === "" || boot === id ? "" : `-- Boot ${id.replaceAll("-", "")} --\n`;
          boot = id;
          return `${mark}${write(entry, name)}\n`;
        });
        return lines.join("");
      };
      const isWanted = ({ timeMs }: JournalEntry) => timeMs >= call.sinceMs && timeMs <= call.untilMs;
      let next = journal.next;
      const kept = journal.entries(call.units).filter(isWanted);
      const shown = Number.isFinite(call.lines) ? kept.slice(Math.max(0, kept.length - call.lines)) : kept;
      if (shown.length > 0) yield* self.write(1, text(call.reverse ? [...shown].reverse() : shown));
      else if (!call.follow) yield* self.write(1, "-- No entries --\n");
      while (call.follow) {
        yield* self.sleep(pollMs);
        const entries = journal.entries(call.units, next).filter(isWanted);
        next = journal.next;
        if (entries.length > 0) yield* self.write(1, text(entries));
      }
      return 0;
    } catch (error) {
      if (error instanceof Refusal) return yield* fail(self, error.message);
      throw error;
    }
  };
}

function* fail(self: Process, message: string): Sys<number> {
  yield* self.write(2, `${message}\n`);
  return 1;
}

function readCall(words: readonly string[], nowMs: number, startedMs: number): Call {
  const values = new Map<string, string>();
  const units: JournalUnit[] = [];
  const set = (name: string, value: string): void => {
    if (name === "unit") units.push(...unitsOf(value));
    else values.set(name, value);
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    const [, long, given] = /^--([^=]+)(?:=(.*))?$/su.exec(word) ?? [];
    if (long !== undefined) {
      const takes = Object.values(options).includes(`${long}=`);
      if (!takes && !Object.values(options).includes(long) && !idle.includes(long))
        throw new Refusal(`journalctl: unrecognized option '--${long}'`);
      if (takes && given === undefined) at += 1;
      const value = given ?? words[at];
      if (takes && value === undefined) throw new Refusal(`journalctl: option '--${long}' requires an argument`);
      set(long, takes ? (value as string) : "");
      continue;
    }
    if (!word.startsWith("-") || word === "-") throw new Refusal(`journalctl ${word}: matches are not simulated; there is -u UNIT`);
    for (let letter = 1; letter < word.length; letter += 1) {
      const name = options[word[letter] as string];
      if (name === undefined) throw new Refusal(`journalctl: invalid option -- '${word[letter]}'`);
      if (!name.endsWith("=")) {
        set(name, "");
        continue;
      }
      const rest = word.slice(letter + 1);
      if (rest === "") at += 1;
      const value = rest === "" ? words[at] : rest;
      if (value === undefined) throw new Refusal(`journalctl: option requires an argument -- '${word[letter]}'`);
      set(name.slice(0, -1), value);
      break;
    }
  }
  const output = values.get("output") ?? "short";
  if (outputs[output] === undefined)
    throw new Refusal(`journalctl: output ${output}: not simulated; there are ${Object.keys(outputs).join(", ")}`);
  const follow = values.has("follow");
  const unfollowedLines = values.has("pager-end") ? "1000" : "all";
  const standard = follow ? String(followedLines) : unfollowedLines;
  const asksUnits = units.length > 0 || [...words].some((word) => /^(?:-\w*u|--unit)/u.test(word));
  const wanted = asksUnits ? units : allUnits;
  return {
    units: values.has("dmesg") ? ["kernel"] : wanted,
    lines: linesOf(values.get("lines") ?? standard),
    follow,
    reverse: values.has("reverse"),
    output,
    sinceMs: Math.max(
      values.has("since") ? timeOf(values.get("since") as string, nowMs) : Number.NEGATIVE_INFINITY,
      values.has("boot") || values.has("dmesg") ? startedMs : Number.NEGATIVE_INFINITY,
    ),
    untilMs: values.has("until") ? timeOf(values.get("until") as string, nowMs) : Number.POSITIVE_INFINITY,
  };
}

/** No unit of other names has logged anything. */
function unitsOf(name: string): readonly JournalUnit[] {
  const unit = name.replace(/\.service$/u, "");
  return unit === "kubelet" || unit === "containerd" ? [unit] : [];
}

function linesOf(text: string): number {
  if (text === "all") return Number.POSITIVE_INFINITY;
  if (!/^\d+$/u.test(text)) throw new Refusal(`Failed to parse lines '${text}'`);
  return Number(text);
}

const spans: { readonly [unit: string]: number } = { s: 1000, m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs };

/** The forms of systemd.time(7) that people type. Throws Refusal. */
function timeOf(text: string, nowMs: number): number {
  const midnight = Math.floor(nowMs / dayMs) * dayMs;
  const named: { readonly [name: string]: number } = { now: nowMs, today: midnight, yesterday: midnight - dayMs };
  const known = Object.hasOwn(named, text) ? named[text] : undefined;
  if (known !== undefined) return known;
  const span = /^(?:-(.+)|(.+) ago)$/u.exec(text);
  if (span !== null) return nowMs - spanOf((span[1] ?? span[2]) as string, text);
  const parts = /^(?:(\d{4})-(\d\d)-(\d\d))?(?:(?:^|[ T])(\d\d):(\d\d)(?::(\d\d))?)?$/u.exec(text);
  if (parts === null || text === "") throw new Refusal(`Failed to parse timestamp: ${text}`);
  const [, year, month, day, hour = 0, minute = 0, second = 0] = parts;
  const date = year === undefined ? midnight : daysFromCivil(Number(year), Number(month), Number(day)) * dayMs;
  return date + Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1000;
}

/** `10 minutes`, `1h30min`, `45s` in milliseconds. */
function spanOf(text: string, whole: string): number {
  const short = text.replace(/ /gu, "").replace(/(\d)(s|m|h|d|w)(?:ec|in|r|ay|eek)?[a-z]*/gu, "$1$2");
  const go = parseGoDuration(short);
  if ("ms" in go) return go.ms;
  let ms = 0;
  if (!/^(?:\d+[smhdw])+$/u.test(short)) throw new Refusal(`Failed to parse timestamp: ${whole}`);
  for (const [, count, unit] of short.matchAll(/(\d+)([smhdw])/gu)) ms += Number(count) * (spans[unit as string] as number);
  return ms;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** `Jan 15 09:00:00` */
function shortDate(timeMs: number): string {
  const { month, day, hour, minute, second } = civilDate(timeMs);
  return `${months[month - 1]} ${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

function isoDate(timeMs: number): string {
  const { year, month, day, hour, minute, second } = civilDate(timeMs);
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`;
}

export function dmesg(find: (hostname: string) => JournalMachine | undefined): Program {
  return function* (self) {
    const found = find(self.hostname);
    if (found === undefined) return yield* fail(self, "dmesg: this machine is not a node of the cluster");
    const words = self.argv.slice(1);
    const wrong = words.find((word) => word !== "-T" && word !== "--ctime");
    if (wrong !== undefined) return yield* fail(self, `dmesg ${wrong}: not simulated; there is -T`);
    const { journal, startedMs, architecture } = found.machine;
    const stamp = (timeMs: number): string => {
      if (words.length > 0) return ctime(timeMs);
      return ((timeMs - startedMs) / 1000).toFixed(6).padStart(12);
    };
    const { release, build } = hostKernels[architecture];
    const booted = `[${stamp(startedMs)}] Linux version ${release} ${build}\n`;
    const entries = journal.entries(["kernel"]).filter(({ timeMs }) => timeMs >= startedMs);
    const lines = entries.map((entry) => `[${stamp(entry.timeMs)}] ${entry.form(entry)}\n`);
    yield* self.write(1, booted + lines.join(""));
    return 0;
  };
}

/** `Thu Jan 15 09:00:00 2026` */
function ctime(timeMs: number): string {
  const { weekday, year, month, day, hour, minute, second } = civilDate(timeMs);
  return `${weekdays[weekday]} ${months[month - 1]} ${String(day).padStart(2)} ${two(hour)}:${two(minute)}:${two(second)} ${year}`;
}
