// The ring of the recorder's entries, before and after it is full.

import { describe, expect, it } from "vitest";
import { Ring } from "./ring.ts";

describe("a ring", () => {
  const filled = (count: number): Ring<number> => {
    const ring = new Ring<number>(3);
    for (let entry = 1; entry <= count; entry += 1) ring.push(entry);
    return ring;
  };

  it.each([
    [0, []],
    [2, [1, 2]],
    [3, [1, 2, 3]],
    [5, [3, 4, 5]],
  ])("keeps the latest of %i entries, oldest first", (count, kept) => {
    const ring = filled(count);
    expect([ring.length, [...ring.from(0)], [...ring.backwards()].reverse()]).toEqual([kept.length, kept, kept]);
  });

  it("has nothing before its first and behind its last entry", () => {
    for (const count of [0, 2, 3, 5]) {
      const ring = filled(count);
      expect([ring.at(-1), ring.at(ring.length), ring.at(ring.length + 1)]).toEqual([undefined, undefined, undefined]);
    }
  });

  it("finds the first entry from which something holds", () => {
    const ring = filled(5);
    expect([4, 1, 9].map((least) => ring.findFirst((entry) => entry >= least))).toEqual([1, 0, 3]);
  });
});
