// Generations of one owner get letters in the order they were first seen, so that "B" stays "B" while a rollout runs.

import type { PodView } from "#lab/picture-view.ts";

export type LetterOf = (pod: Pick<PodView, "namespace" | "ownerKind" | "ownerName" | "revision">) => string;

/** A book of letters for one session. */
export function createLetters(): LetterOf {
  const revisions = new Map<string, string[]>();
  return ({ namespace, ownerKind, ownerName, revision }) => {
    if (revision === "") return "";
    const owner = `${namespace}/${ownerKind}/${ownerName}`;
    const seen = revisions.get(owner) ?? [];
    revisions.set(owner, seen);
    if (!seen.includes(revision)) seen.push(revision);
    return letterAt(seen.indexOf(revision));
  };
}

/** A … Z, then A again: nobody compares more than a few generations at once. */
function letterAt(index: number): string {
  return String.fromCharCode("A".charCodeAt(0) + (index % 26));
}
