// The difference between two specs as the API server tells it: a unified diff of both as indented JSON in Go's form
// (apimachinery's util/diff). Where lines can be aligned in several ways upstream may choose another.

import type { JsonValue } from "#cluster/api/objects.ts";

const context = 3;

interface Edit {
  readonly kind: " " | "-" | "+";
  readonly line: string;
}

export function difference(before: JsonValue, after: JsonValue): string {
  const edits = editsBetween(linesOf(before), linesOf(after));
  return hunksOf(edits).map(formatHunk).join("");
}

function linesOf(value: JsonValue): readonly string[] {
  const text = JSON.stringify(value, null, 1).replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
  return text.split("\n");
}

/** The common head and tail are cut off first: what lies between is short. */
function editsBetween(before: readonly string[], after: readonly string[]): readonly Edit[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const rest = Math.min(before.length, after.length) - head;
  while (tail < rest && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return [
    ...before.slice(0, head).map(kept),
    ...longestCommon(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(kept),
  ];
}

function kept(line: string): Edit {
  return { kind: " ", line };
}

/** Edits along a longest common subsequence; what is taken away comes before what is added. */
function longestCommon(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      lengths[at] =
        before[row] === after[column]
          ? (lengths[at + width + 1] as number) + 1
          : Math.max(lengths[at + width] as number, lengths[at + 1] as number);
    }
  }
  const edits: Edit[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const at = row * width + column;
    if (row < before.length && column < after.length && before[row] === after[column]) {
      edits.push(kept(before[row] as string));
      [row, column] = [row + 1, column + 1];
    } else if (row < before.length && (column === after.length || (lengths[at + width] as number) >= (lengths[at + 1] as number))) {
      edits.push({ kind: "-", line: before[row] as string });
      row += 1;
    } else {
      edits.push({ kind: "+", line: after[column] as string });
      column += 1;
    }
  }
  return edits;
}

interface Hunk {
  readonly edits: readonly Edit[];
  /** Lines before the hunk, in the old text and in the new one. */
  readonly oldStart: number;
  readonly newStart: number;
}

function hunksOf(edits: readonly Edit[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let end = 0;
  for (let index = 0; index < edits.length; index += 1) {
    if (index < end || edits[index]?.kind === " ") continue;
    const start = Math.max(end, index - context);
    let last = index;
    for (let next = index; next < edits.length && next - last <= 2 * context; next += 1) if (edits[next]?.kind !== " ") last = next;
    end = Math.min(edits.length, last + context + 1);
    const passed = edits.slice(0, start);
    hunks.push({
      edits: edits.slice(start, end),
      oldStart: passed.filter(({ kind }) => kind !== "+").length,
      newStart: passed.filter(({ kind }) => kind !== "-").length,
    });
  }
  return hunks;
}

function formatHunk({ edits, oldStart, newStart }: Hunk): string {
  const oldLength = edits.filter(({ kind }) => kind !== "+").length;
  const newLength = edits.filter(({ kind }) => kind !== "-").length;
  const lines = edits.map(({ kind, line }) => `${kind}${line}\n`).join("");
  return `@@ -${formatRange(oldStart, oldLength)} +${formatRange(newStart, newLength)} @@\n${lines}`;
}

function formatRange(start: number, length: number): string {
  if (length === 1) return `${start + 1}`;
  return `${length === 0 ? start : start + 1},${length}`;
}
