// Two runs of one lab by one learner, in two browsers: what they have in common, and whether one has what the other lacks.

import { type AnyEntry, isTouched } from "#lab/journal-entries.ts";
import type { SavedLab } from "#lab/protocol.ts";

/** As the server has it, or as it is here. */
export interface EitherRun extends Pick<SavedLab, "seed" | "startMs"> {
  readonly entries: readonly AnyEntry[];
}

/** Begun from the same world. */
export function isSameRun(a: Pick<SavedLab, "seed" | "startMs">, b: Pick<SavedLab, "seed" | "startMs">): boolean {
  return a.seed === b.seed && a.startMs === b.startMs;
}

/** How many first entries are alike. */
export function inCommon(a: readonly AnyEntry[], b: readonly AnyEntry[]): number {
  const end = Math.min(a.length, b.length);
  let same = 0;
  while (same < end && JSON.stringify(a[same]) === JSON.stringify(b[same])) same += 1;
  return same;
}

/** Whether something was done in `run` that is not in `other`: that would be lost if `other` took its place. */
export function hasMore(run: EitherRun, other: EitherRun): boolean {
  return isTouched(isSameRun(run, other) ? run.entries.slice(inCommon(run.entries, other.entries)) : run.entries);
}
