// The difference between two values as apimachinery's util/diff writes it into messages: both as indented JSON, compared
// line by line, as `diff -u` without names of files.

interface Operation {
  readonly tag: "equal" | "change";
  readonly from: readonly [start: number, end: number];
  readonly to: readonly [start: number, end: number];
}

const contextLines = 3;

/** Hunks with three lines of context; "" when nothing differs. */
export function unifiedDiff(a: unknown, b: unknown): string {
  const [before, after] = [JSON.stringify(a, undefined, 1).split("\n"), JSON.stringify(b, undefined, 1).split("\n")];
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

/** `start,length`, counted from 1; the length is left out when it is 1. */
function range(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

function operations(a: readonly string[], b: readonly string[]): readonly Operation[] {
  const result: Operation[] = [];
  let [i, j] = [0, 0];
  for (const [ai, bj, size] of [...matches(a, b, 0, a.length, 0, b.length), [a.length, b.length, 0] as const]) {
    if (i < ai || j < bj) result.push({ tag: "change", from: [i, ai], to: [j, bj] });
    if (size > 0) result.push({ tag: "equal", from: [ai, ai + size], to: [bj, bj + size] });
    [i, j] = [ai + size, bj + size];
  }
  return result;
}

type Match = readonly [a: number, b: number, size: number];

/** The longest common run of lines, the earliest of several, and those before and after it (Ratcliff and Obershelp). */
function matches(
  a: readonly string[],
  b: readonly string[],
  aStart: number,
  aEnd: number,
  bStart: number,
  bEnd: number,
): readonly Match[] {
  let best: Match = [aStart, bStart, 0];
  let lengths = new Map<number, number>();
  for (let i = aStart; i < aEnd; i += 1) {
    const next = new Map<number, number>();
    for (let j = bStart; j < bEnd; j += 1) {
      if (a[i] !== b[j]) continue;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best[2]) best = [i - size + 1, j - size + 1, size];
    }
    lengths = next;
  }
  const [ai, bj, size] = best;
  if (size === 0) return [];
  return [...matches(a, b, aStart, ai, bStart, bj), best, ...matches(a, b, ai + size, aEnd, bj + size, bEnd)];
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
