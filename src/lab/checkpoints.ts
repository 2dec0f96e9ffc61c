// Moments of a journal that a learner may go back to: before each command, before each saved file, and when a step was
// opened. Going back is replaying a shorter journal.

import type { CommandRecord } from "./checks.ts";
import type { LabJournalEntry, SavedLab } from "./protocol.ts";

export interface Checkpoint {
  /** How many entries of the journal are before it. */
  readonly entries: number;
  readonly atMs: number;
  readonly kind: "command" | "file";
  /** The command as it was run, or the file's path. */
  readonly text: string;
  /** Exit code of the command; 0 for a file. */
  readonly code: number;
}

interface TypedLine {
  /** Of its first key. */
  readonly firstEntry: number;
  readonly enterMs: number;
}

/** Oldest first. `commands`: what ended on the workstation; lines in which no program ran (`cd`, say) are not moments. */
export function checkpointsOf(entries: readonly LabJournalEntry[], commands: readonly CommandRecord[]): readonly Checkpoint[] {
  const lines = typedLines(entries);
  const byLine = new Map<TypedLine, CommandRecord>();
  for (const command of commands) {
    const line = lines.findLast(({ enterMs }) => enterMs <= command.startedMs);
    // What it started itself ends before it: the editor of `kubectl edit`.
    if (line !== undefined && command.startedMs < (byLine.get(line)?.startedMs ?? Number.POSITIVE_INFINITY))
      byLine.set(line, command);
  }
  const before = [...byLine].map(
    ([line, { line: text, code }]): Checkpoint => checkpoint(entries, line.firstEntry, "command", text, code),
  );
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
function typedLines(entries: readonly LabJournalEntry[]): readonly TypedLine[] {
  const lines: TypedLine[] = [];
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
