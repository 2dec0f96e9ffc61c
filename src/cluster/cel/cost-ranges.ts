// Sizes and costs that are known only as a range, in whole numbers that stop at the largest of 64 bits.

export interface Range {
  readonly min: number;
  readonly max: number;
}

const largest = 2 ** 64;
export const unknownSize: Range = { min: 0, max: largest };
export const nothing: Range = { min: 0, max: 0 };

export function fixed(value: number): Range {
  return { min: value, max: value };
}

export function plus(...ranges: readonly Range[]): Range {
  let [min, max] = [0, 0];
  for (const range of ranges) {
    min = bounded(min + range.min);
    max = bounded(max + range.max);
  }
  return { min, max };
}

export function times(a: Range, b: Range): Range {
  return { min: bounded(a.min * b.min), max: bounded(a.max * b.max) };
}

/** Rounded up. */
export function timesFactor(range: Range, factor: number): Range {
  return { min: bounded(Math.ceil(range.min * factor)), max: bounded(Math.ceil(range.max * factor)) };
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function bounded(value: number): number {
  return value >= largest ? largest : value;
}
