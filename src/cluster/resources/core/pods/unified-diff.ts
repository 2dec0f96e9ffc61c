// The difference between two values as apimachinery's util/diff writes it into messages: both as Go's indented JSON, aligned
// by the longest run of equal lines, then those before and after it (pmezard/go-difflib), and written as `diff -u` does.

import { jsonText } from "#cluster/api/json-write.ts";

interface Operation {
  readonly tag: "equal" | "change";
  readonly from: readonly [start: number, end: number];
  readonly to: readonly [start: number, end: number];
}

const contextLines = 3;
/** A line that stands often in so long a text does not align it. */
const longText = 200;

/** Hunks with three lines of context; "" when nothing differs. */
export function unifiedDiff(a: unknown, b: unknown): string {
  const [before, after] = [linesOf(a), linesOf(b)];
  const lines: string[] = [];
  for (const group of groups(operations(before, after))) {
    const [first, last] = [group[0] as Operation, group[group.length - 1] as Operation];
    lines.push(`@@ -${range(first.from[0], last.from[1])} +${range(first.to[0], last.to[1])} @@`);
    for (const { tag, from, to } of group) {
      if (tag === "equal") for (const line of before.slice(...from)) lines.push(` ${line}`);
      else {
        for (const line of before.slice(...from)) lines.push(`-${line}`);
        for (const line of after.slice(...to)) lines.push(`+${line}`);
      }
    }
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Go escapes what HTML would read. */
function linesOf(value: unknown): readonly string[] {
  const text = jsonText(value, 1).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return text.split("\n");
}

/** `start,length`, counted from 1; the length is left out when it is 1. */
function range(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

function operations(a: readonly string[], b: readonly string[]): readonly Operation[] {
  const result: Operation[] = [];
  let [i, j] = [0, 0];
  const found = joined(matches({ a, b, places: placesOf(b) }, 0, a.length, 0, b.length));
  for (const [ai, bj, size] of [...found, [a.length, b.length, 0] as const]) {
    if (i < ai || j < bj) result.push({ tag: "change", from: [i, ai], to: [j, bj] });
    if (size > 0) result.push({ tag: "equal", from: [ai, ai + size], to: [bj, bj + size] });
    [i, j] = [ai + size, bj + size];
  }
  return result;
}

type Match = readonly [a: number, b: number, size: number];

interface Texts {
  readonly a: readonly string[];
  readonly b: readonly string[];
  /** Where each line stands in `b`, without those that stand there too often. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

function placesOf(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of b.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  if (b.length < longText) return places;
  const most = Math.floor(b.length / 100) + 1;
  for (const [line, found] of places) if (found.length > most) places.delete(line);
  return places;
}

/** The longest common run of lines and those before and after it, in order. */
function matches(texts: Texts, aStart: number, aEnd: number, bStart: number, bEnd: number): readonly Match[] {
  const longest = longestMatch(texts, aStart, aEnd, bStart, bEnd);
  const [ai, bj, size] = longest;
  if (size === 0) return [];
  return [...matches(texts, aStart, ai, bStart, bj), longest, ...matches(texts, ai + size, aEnd, bj + size, bEnd)];
}

/** The earliest of several. What stands too often to be looked for still lengthens the run. */
function longestMatch({ a, b, places }: Texts, aStart: number, aEnd: number, bStart: number, bEnd: number): Match {
  let [i, j, size] = [aStart, bStart, 0];
  let lengths = new Map<number, number>();
  for (let row = aStart; row < aEnd; row += 1) {
    const next = new Map<number, number>();
    for (const column of places.get(a[row] as string) ?? []) {
      if (column < bStart || column >= bEnd) continue;
      const length = (lengths.get(column - 1) ?? 0) + 1;
      next.set(column, length);
      if (length > size) [i, j, size] = [row - length + 1, column - length + 1, length];
    }
    lengths = next;
  }
  while (i > aStart && j > bStart && a[i - 1] === b[j - 1]) [i, j, size] = [i - 1, j - 1, size + 1];
  while (i + size < aEnd && j + size < bEnd && a[i + size] === b[j + size]) size += 1;
  return [i, j, size];
}

/** Runs that follow on each other are one. */
function joined(all: readonly Match[]): readonly Match[] {
  const result: Match[] = [];
  for (const match of all) {
    const [i, j, size] = result.at(-1) ?? [-1, -1, 0];
    if (i + size === match[0] && j + size === match[1]) result[result.length - 1] = [i, j, size + match[2]];
    else result.push(match);
  }
  return result;
}

/** Changes with their context; those that are far apart go to hunks of their own. */
function groups(all: readonly Operation[]): readonly (readonly Operation[])[] {
  const result: Operation[][] = [];
  let group: Operation[] = [];
  for (const [index, operation] of all.entries()) {
    const { tag, from, to } = operation;
    if (tag === "change") {
      group.push(operation);
      continue;
    }
    const size = from[1] - from[0];
    const head: Operation = {
      tag,
      from: [from[0], Math.min(from[1], from[0] + contextLines)],
      to: [to[0], Math.min(to[1], to[0] + contextLines)],
    };
    const tail: Operation = {
      tag,
      from: [Math.max(from[0], from[1] - contextLines), from[1]],
      to: [Math.max(to[0], to[1] - contextLines), to[1]],
    };
    const [isFirst, isLast] = [index === 0, index === all.length - 1];
    if (isFirst && isLast) return [];
    if (isFirst) group.push(tail);
    else if (isLast) group.push(head);
    else if (size > contextLines * 2) {
      group.push(head);
      result.push(group);
      group = [tail];
    } else group.push(operation);
  }
  if (group.length > 0) result.push(group);
  return result;
}
