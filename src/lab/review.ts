// What a lab's review is made of: which commands belong to which step, and where two clusters differ.

import type { TypedLine } from "#shell/line/interactive.ts";
import type { ComparedObject } from "./compared-objects.ts";
import type { StepState } from "./lab-run.ts";
import type { LabJournalEntry } from "./protocol.ts";
import type { ObjectDifference, ReviewCommand } from "./session.ts";

interface Done {
  readonly atMs: number;
  readonly command: ReviewCommand;
}

/** The step that a moment belongs to, by its index: the one whose turn it was; in a capstone the task that passed next, or else the first
 * that has not passed. */
export function stepAt(states: readonly Pick<StepState, "openedMs" | "passedMs">[], capstone: boolean): (atMs: number) => number {
  if (!capstone) return (atMs) => states.findLastIndex(({ openedMs }) => openedMs !== undefined && openedMs <= atMs);
  const passes = states.flatMap(({ passedMs }, index) => (passedMs === undefined ? [] : [{ index, passedMs }]));
  const inOrder = passes.sort((a, b) => a.passedMs - b.passedMs);
  const rest = states.findIndex(({ passedMs }) => passedMs === undefined);
  const last = rest === -1 ? (inOrder.at(-1)?.index ?? -1) : rest;
  return (atMs) => inOrder.find(({ passedMs }) => passedMs >= atMs)?.index ?? last;
}

/** What was typed and saved, by step. */
export function commandsByStep(
  stepOf: (atMs: number) => number,
  steps: number,
  lines: readonly TypedLine[],
  entries: readonly LabJournalEntry[],
): readonly (readonly ReviewCommand[])[] {
  const typed = lines.map(
    ({ startedMs, text, code }): Done => ({ atMs: startedMs, command: { kind: "command", text: text.trim(), code } }),
  );
  const saved = entries.flatMap(({ timeMs, input }): readonly Done[] =>
    input.kind === "file-write" ? [{ atMs: timeMs, command: { kind: "file", text: input.path, code: 0 } }] : [],
  );
  const done = [...typed, ...saved].sort((a, b) => a.atMs - b.atMs);
  return Array.from({ length: steps }, (_, index) =>
    done.filter(({ atMs }) => stepOf(atMs) === index).map(({ command }) => command),
  );
}

/** In the order of the reference's objects, then those that it does not have. */
export function differencesBetween(
  mine: readonly ComparedObject[],
  reference: readonly ComparedObject[],
): readonly ObjectDifference[] {
  const nameOf = ({ ref }: ComparedObject): string => `${ref.resource}/${ref.namespace}/${ref.name}`;
  const own = new Map(mine.map((object) => [nameOf(object), object]));
  const known = new Set(reference.map(nameOf));
  const pairs = [
    ...reference.map((object) => ({ ...object, mine: own.get(nameOf(object))?.yaml ?? "", reference: object.yaml })),
    ...mine.filter((object) => !known.has(nameOf(object))).map((object) => ({ ...object, mine: object.yaml, reference: "" })),
  ];
  return pairs
    .filter((pair) => pair.mine !== pair.reference)
    .map(({ ref, kind, mine: own, reference: other }) => ({ ref, kind, mine: own, reference: other }));
}
