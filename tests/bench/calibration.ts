// Fixed plain work that has nothing to do with this project: what a machine, as busy as it is, takes for allocating, hashing and sorting.
// Figures of two machines compare as multiples of it.

import { cpuMs, median } from "./figures.ts";

const runs = 9;

/** Milliseconds of processor time for the whole of the work, median of some runs. */
export function calibrate(): number {
  return median(runs, () => cpuMs(work));
}

function work(): void {
  const kept = [allocate(), hash(), sort()];
  if (kept.some((value) => !Number.isFinite(value))) throw new Error("the work was not done");
}

/** A tree of small objects, made and walked. */
function allocate(): number {
  interface Node {
    readonly key: string;
    readonly children: readonly Node[];
  }
  const grow = (depth: number, key: string): Node => ({
    key,
    children: depth === 0 ? [] : Array.from({ length: 6 }, (_, index) => grow(depth - 1, `${key}.${index}`)),
  });
  const count = (node: Node): number => node.children.reduce((sum, child) => sum + count(child), node.key.length);
  return count(grow(6, "a"));
}

/** FNV-1a over four megabytes. */
function hash(): number {
  const bytes = new Uint8Array(4 << 20);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = (index * 31) & 0xff;
  let value = 0x811c9dc5;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}

/** A hundred thousand texts by their order. */
function sort(): number {
  let seed = 1;
  const texts = Array.from({ length: 100_000 }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed.toString(36);
  });
  texts.sort();
  return texts[0]?.length ?? Number.NaN;
}
