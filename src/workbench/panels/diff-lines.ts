// The lines that differ between two texts, with those around them: the shortest way from one to the other (Myers).

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

/** The furthest point on each diagonal after each number of edits; the way is read back from them. */
function shortestWay(a: readonly string[], b: readonly string[]): DiffLine[] {
  const trace: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= a.length + b.length; edits += 1) {
    const next = new Map(furthest);
    trace.push(furthest);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const x = slide(a, b, startOn(furthest, diagonal, edits), diagonal);
      next.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return readBack(a, b, trace);
    }
    furthest = next;
  }
  return [];
}

function startOn(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): number {
  const above = furthest.get(diagonal + 1) ?? -1;
  const left = furthest.get(diagonal - 1) ?? -1;
  return diagonal === -edits || (diagonal !== edits && left < above) ? above : left + 1;
}

function slide(a: readonly string[], b: readonly string[], from: number, diagonal: number): number {
  let x = from;
  while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
  return x;
}

function readBack(a: readonly string[], b: readonly string[], trace: readonly ReadonlyMap<number, number>[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const furthest = trace[edits] as ReadonlyMap<number, number>;
    const diagonal = x - y;
    const left = furthest.get(diagonal - 1) ?? -1;
    const above = furthest.get(diagonal + 1) ?? -1;
    const isInsertion = diagonal === -edits || (diagonal !== edits && left < above);
    const fromX = edits === 0 ? 0 : isInsertion ? above : left;
    const fromY = edits === 0 ? 0 : fromX - (isInsertion ? diagonal + 1 : diagonal - 1);
    const meetX = edits === 0 ? 0 : isInsertion ? fromX : fromX + 1;
    while (x > meetX && y > (edits === 0 ? 0 : isInsertion ? fromY + 1 : fromY)) {
      lines.push({ sign: " ", text: a[x - 1] as string });
      x -= 1;
      y -= 1;
    }
    if (edits === 0) break;
    lines.push(isInsertion ? { sign: "+", text: b[fromY] as string } : { sign: "-", text: a[fromX] as string });
    [x, y] = [fromX, fromY];
  }
  return lines.reverse();
}
