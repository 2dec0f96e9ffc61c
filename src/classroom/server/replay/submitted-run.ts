// Reads a run that somebody handed in. What comes out is plain, ordered and within bounds, and holds nothing but what a replay needs:
// what the run says of its own success is not looked at.

import type { LabJournalEntry } from "#lab/protocol.ts";
import { hasOtherFormat, isSavedLab } from "#lab/saved-labs.ts";
import type { WorldInput } from "#world/input.ts";
import { type ReplayRefusal, refuse } from "./replay-result.ts";

export interface RunLimits {
  readonly entries: number;
  /** Characters in all inputs together. */
  readonly characters: number;
  /** Virtual time from the start to the end. */
  readonly virtualMs: number;
}

/** Some times what the longest lab takes, every key one entry; a page left open for a week. */
export const usualLimits: RunLimits = { entries: 20_000, characters: 1_000_000, virtualMs: 7 * 86_400_000 };

export interface SubmittedRun {
  readonly seed: number;
  readonly startMs: number;
  readonly untilMs: number;
  readonly entries: readonly LabJournalEntry[];
  /** Of the lab that it was made in (`worldMark`). */
  readonly world: string;
  /** Hints shown, by step. */
  readonly hints: readonly (readonly [stepId: string, shown: number])[];
  /** Steps whose solution was asked for. */
  readonly solutions: readonly string[];
}

export type ReadRun = { readonly ok: true; readonly run: SubmittedRun } | ReplayRefusal;

/** Clocks beyond are wrong, and dates there have other lengths. */
const earliestMs = Date.UTC(2000, 0, 1);
const latestMs = Date.UTC(2100, 0, 1);
const largestSeed = 0xffff_ffff;
/** Columns or rows of a terminal. */
const largestSize = 10_000;

export function readRun(value: unknown, limits: RunLimits = usualLimits): ReadRun {
  if (hasOtherFormat(value)) return refuse("outdated", "the run is of another version of the simulator");
  if (!isSavedLab(value)) return refuse("unreadable", "it is not a run of a lab");
  const { seed, startMs, nowMs, entries, world, hints, solutions } = value;
  if (entries.length > limits.entries) return refuse("tooMany", `it has ${entries.length} inputs, more than ${limits.entries}`);
  if (seed < 0 || seed > largestSeed) return refuse("unreadable", `there is no seed ${seed}`);
  if (startMs < earliestMs || startMs >= latestMs) return refuse("unreadable", `no lab starts at ${startMs}`);
  if (!entries.every(({ input }) => hasPossibleSize(input))) return refuse("unreadable", "a terminal has an impossible size");
  const shown = Object.entries(hints);
  if (!shown.every(([, count]) => Number.isSafeInteger(count) && count >= 0) || !solutions.every((id) => typeof id === "string"))
    return refuse("unreadable", "it does not say which help was asked for");
  const times = [startMs, ...entries.map(({ timeMs }) => timeMs)];
  if (nowMs < startMs || times.some((timeMs, index) => timeMs < (times[index - 1] ?? startMs)))
    return refuse("unordered", "its times are not in order");
  const untilMs = Math.max(nowMs, times.at(-1) ?? nowMs);
  if (untilMs - startMs > limits.virtualMs)
    return refuse("tooLong", `it lasts ${untilMs - startMs} ms, more than ${limits.virtualMs}`);
  const characters = entries.reduce((sum, { input }) => sum + charactersOf(input), 0);
  if (characters > limits.characters)
    return refuse("tooMany", `its inputs have ${characters} characters, more than ${limits.characters}`);
  if (world === undefined) return refuse("outdated", "it does not say which world it was made in");
  const plain = entries.map(({ timeMs, input }) => ({ timeMs, input: plainInput(input) }));
  return { ok: true, run: { seed, startMs, untilMs, entries: plain, world, hints: shown, solutions: [...solutions] } };
}

function hasPossibleSize(input: WorldInput): boolean {
  if (input.kind !== "terminal-open" && input.kind !== "terminal-resize") return true;
  return [input.columns, input.rows].every((size) => Number.isInteger(size) && size >= 1 && size <= largestSize);
}

function charactersOf(input: WorldInput): number {
  return Object.values(plainInput(input)).reduce((sum: number, value) => sum + (typeof value === "string" ? value.length : 0), 0);
}

/** Nothing but the fields that it has by its kind. */
function plainInput(input: WorldInput): WorldInput {
  const { kind } = input;
  switch (kind) {
    case "terminal-open":
    case "terminal-resize":
      return { kind, terminal: input.terminal, columns: input.columns, rows: input.rows };
    case "terminal-input":
      return { kind, terminal: input.terminal, text: input.text };
    case "terminal-close":
      return { kind, terminal: input.terminal };
    case "file-write":
      return { kind, path: input.path, text: input.text };
    case "page-open":
      return { kind, page: input.page, url: input.url };
  }
}
