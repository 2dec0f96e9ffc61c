// What differs between many pairs of values: how many, and of the first ones where and how.

import { isDeepStrictEqual } from "node:util";

const shown = 10;

/** Prints a line of counts and the first differences; true where there is none. */
export function tellDifferences(
  what: string,
  pairs: readonly (readonly [title: string, theirs: unknown, ours: unknown])[],
): boolean {
  const other = pairs.filter(([, theirs, ours]) => !isDeepStrictEqual(theirs, ours));
  for (const [title, theirs, ours] of other.slice(0, shown)) console.log(`oracle: ${title}: ${firstDifference(theirs, ours)}`);
  console.log(`oracle: ${pairs.length} ${what} compared with Go's, ${other.length} differ`);
  return other.length === 0;
}

/** The first place at which two values differ. */
export function firstDifference(theirs: unknown, ours: unknown, path = ""): string {
  if (isBranch(theirs) && isBranch(ours)) {
    const key = [...Object.keys(theirs), ...Object.keys(ours)].find((name) => !isDeepStrictEqual(theirs[name], ours[name]));
    if (key !== undefined) return firstDifference(theirs[key], ours[key], path === "" ? key : `${path}.${key}`);
  }
  return `${path === "" ? "the value" : path} is ${text(ours)}, upstream ${text(theirs)}`;
}

function isBranch(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}

function text(value: unknown): string {
  const written = JSON.stringify(value) ?? "not there";
  return written.length > 300 ? `${written.slice(0, 300)}…` : written;
}
