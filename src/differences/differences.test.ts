import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differences } from "./differences.ts";

const ranges = (a: string, b: string): readonly string[] =>
  differences([...a], [...b]).map(({ oldStart, oldEnd, newStart, newEnd }) => `${oldStart}-${oldEnd} ${newStart}-${newEnd}`);

describe("the differences of two lists", () => {
  it("are ranges of both, and none of what is equal", () => {
    expect(ranges("abcd", "abcd")).toEqual([]);
    expect(ranges("", "ab")).toEqual(["0-0 0-2"]);
    expect(ranges("ab", "")).toEqual(["0-2 0-0"]);
    expect(ranges("abcd", "axcde")).toEqual(["1-2 1-2", "4-4 4-5"]);
  });

  it("put into the one make the other, by the fewest edits", () => {
    const list = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
    fc.assert(
      fc.property(list, list, (a, b) => {
        const hunks = differences(a, b);
        const made = [...a];
        for (const { oldStart, oldEnd, newStart, newEnd } of hunks.toReversed())
          made.splice(oldStart, oldEnd - oldStart, ...b.slice(newStart, newEnd));
        expect(made).toEqual(b);
        const edits = hunks.reduce((sum, hunk) => sum + hunk.oldEnd - hunk.oldStart + hunk.newEnd - hunk.newStart, 0);
        expect(edits).toBe(a.length + b.length - 2 * longestCommon(a, b));
      }),
    );
  });
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    const next = [0];
    for (const [index, other] of b.entries())
      next.push(item === other ? (row[index] ?? 0) + 1 : Math.max(next[index] ?? 0, row[index + 1] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}
