// The shortest way from one list to another (E. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986). A point is
// how far both lists have been read, `x` of the first and `y` of the second; on a diagonal x - y is the same.

/** A run of items that differ: half-open ranges of both lists. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** By diagonal, how far into the first list a number of edits can lead. */
type Furthest = ReadonlyMap<number, number>;

/** What of `a` gives way to what of `b`, in order, with as few items as can be. */
export function differences(a: readonly string[], b: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (const edit of readBack(a, b, search(a, b))) {
    const last = hunks.at(-1);
    if (last !== undefined && last.oldEnd === edit.oldStart && last.newEnd === edit.newStart) {
      hunks[hunks.length - 1] = { ...last, oldEnd: edit.oldEnd, newEnd: edit.newEnd };
    } else hunks.push(edit);
  }
  return hunks;
}

/** The furthest points before each edit, until both lists have been read to the end. */
function search(a: readonly string[], b: readonly string[]): readonly Furthest[] {
  const trace: Furthest[] = [];
  let furthest: Furthest = new Map([[1, 0]]);
  for (let edits = 0; edits <= a.length + b.length; edits += 1) {
    trace.push(furthest);
    const next = new Map(furthest);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const x = slide(a, b, startOn(furthest, diagonal, edits), diagonal);
      next.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return trace;
    }
    furthest = next;
  }
  return trace;
}

/** Whether the last edit before a diagonal adds an item of `b`; else it leaves out one of `a`. */
function isAddition(furthest: Furthest, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1);
}

function startOn(furthest: Furthest, diagonal: number, edits: number): number {
  if (isAddition(furthest, diagonal, edits)) return furthest.get(diagonal + 1) ?? 0;
  return (furthest.get(diagonal - 1) ?? 0) + 1;
}

/** Over all that is equal. */
function slide(a: readonly string[], b: readonly string[], from: number, diagonal: number): number {
  let x = from;
  while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
  return x;
}

/** The single edits, in order. */
function readBack(a: readonly string[], b: readonly string[], trace: readonly Furthest[]): readonly Hunk[] {
  const found: Hunk[] = [];
  let diagonal = a.length - b.length;
  for (let edits = trace.length - 1; edits > 0; edits -= 1) {
    const furthest = trace[edits] as Furthest;
    const adds = isAddition(furthest, diagonal, edits);
    diagonal += adds ? 1 : -1;
    const oldStart = furthest.get(diagonal) ?? 0;
    const newStart = oldStart - diagonal;
    found.push({ oldStart, oldEnd: adds ? oldStart : oldStart + 1, newStart, newEnd: adds ? newStart + 1 : newStart });
  }
  return found.reverse();
}
