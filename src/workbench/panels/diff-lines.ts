// The lines that differ between two texts, with those around them.

import { differences } from "#differences/differences.ts";

export interface DiffLine {
  readonly sign: " " | "+" | "-";
  readonly text: string;
}

/** Lines left out between two changes. */
export interface Gap {
  readonly left: number;
}

/** All lines of both texts in order: kept, removed before added. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const kept = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: " ", text }));
  return [
    ...kept(a.slice(0, head)),
    ...shortestWay(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...kept(a.slice(a.length - tail)),
  ];
}

/** Only what is near a change; the rest as gaps. */
export function withContext(lines: readonly DiffLine[], context: number): readonly (DiffLine | Gap)[] {
  const near = lines.map(() => false);
  for (const [index, { sign }] of lines.entries()) {
    if (sign === " ") continue;
    for (let at = Math.max(0, index - context); at <= Math.min(lines.length - 1, index + context); at += 1) near[at] = true;
  }
  const result: (DiffLine | Gap)[] = [];
  let left = 0;
  for (const [index, line] of lines.entries()) {
    if (near[index] === true) {
      if (left > 0) result.push({ left });
      left = 0;
      result.push(line);
    } else left += 1;
  }
  if (left > 0) result.push({ left });
  return result;
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function shortestWay(a: readonly string[], b: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  const add = (sign: DiffLine["sign"], texts: readonly string[]): void => {
    for (const text of texts) lines.push({ sign, text });
  };
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of differences(a, b)) {
    add(" ", a.slice(at, oldStart));
    add("-", a.slice(oldStart, oldEnd));
    add("+", b.slice(newStart, newEnd));
    at = oldEnd;
  }
  add(" ", a.slice(at));
  return lines;
}
