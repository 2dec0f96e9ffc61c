// Moments of a journal that a learner may go back to: before each line of commands, before each saved file, and when a step was
// opened. Going back is replaying a shorter journal.

import type { TypedLine } from "#shell/line/interactive.ts";
import type { LabJournalEntry, SavedLab } from "./protocol.ts";

export interface Checkpoint {
  /** How many entries of the journal are before it. */
  readonly entries: number;
  readonly atMs: number;
  readonly kind: "command" | "file";
  /** The line as it was typed, or the file's path. */
  readonly text: string;
  /** Exit code of the line; 0 for a file. */
  readonly code: number;
}

interface EnteredLine {
  /** Of its first key. */
  readonly firstEntry: number;
  readonly enterMs: number;
}

/** Oldest first. `lines`: what was typed and has ended, but for lines in which no program ran and no file was
 * written (`cd`, say). */
export function checkpointsOf(entries: readonly LabJournalEntry[], lines: readonly TypedLine[]): readonly Checkpoint[] {
  const entered = enteredLines(entries);
  const byEntry = new Map<number, TypedLine>();
  for (const line of lines) {
    const from = entered.findLast(({ enterMs }) => enterMs <= line.startedMs);
    if (from !== undefined && !byEntry.has(from.firstEntry)) byEntry.set(from.firstEntry, line);
  }
  const before = [...byEntry].map(([entry, { text, code }]): Checkpoint => checkpoint(entries, entry, "command", text, code));
  const saves = entries.flatMap(({ input }, index): readonly Checkpoint[] =>
    input.kind === "file-write" ? [checkpoint(entries, index, "file", input.path, 0)] : [],
  );
  return [...before, ...saves].sort((a, b) => a.entries - b.entries);
}

function checkpoint(
  entries: readonly LabJournalEntry[],
  index: number,
  kind: Checkpoint["kind"],
  text: string,
  code: number,
): Checkpoint {
  return { entries: index, atMs: entries[index]?.timeMs ?? 0, kind, text, code };
}

/** By the Enter that ended each, in order. */
function enteredLines(entries: readonly LabJournalEntry[]): readonly EnteredLine[] {
  const lines: EnteredLine[] = [];
  const firstKeys = new Map<string, number>();
  for (const [index, { timeMs, input }] of entries.entries()) {
    if (input.kind !== "terminal-input") continue;
    const first = firstKeys.get(input.terminal) ?? index;
    firstKeys.set(input.terminal, first);
    if (!input.text.includes("\r")) continue;
    lines.push({ firstEntry: first, enterMs: timeMs });
    firstKeys.delete(input.terminal);
  }
  return lines;
}

/** The lab as it was before an entry of its journal. */
export function cutBefore(saved: SavedLab, entries: number): SavedLab {
  return { ...saved, entries: saved.entries.slice(0, entries), nowMs: saved.entries[entries]?.timeMs ?? saved.nowMs };
}

/** The lab as it was at a moment: what came in then was behind all that was due. */
export function cutAt(saved: SavedLab, atMs: number): SavedLab {
  return { ...saved, entries: saved.entries.filter(({ timeMs }) => timeMs < atMs), nowMs: atMs };
}
