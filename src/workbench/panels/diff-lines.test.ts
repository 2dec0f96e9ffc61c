import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines, withContext } from "./diff-lines.ts";

const written = (before: string, after: string): readonly string[] => diffLines(before, after).map(({ sign, text }) => sign + text);

describe("lines that differ", () => {
  it("are marked where they stand", () => {
    expect(written("a\nb\nc\nd\n", "a\nx\nc\nd\ne\n")).toEqual([" a", "-b", "+x", " c", " d", "+e"]);
    expect(written("", "a\nb\n")).toEqual(["+a", "+b"]);
    expect(written("a\n", "")).toEqual(["-a"]);
    expect(written("a\n", "a\n")).toEqual([" a"]);
  });

  it("lead from the one text to the other, by the fewest edits", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const way = diffLines(before.map((line) => `${line}\n`).join(""), after.map((line) => `${line}\n`).join(""));
        expect(way.filter(({ sign }) => sign !== "+").map(({ text }) => text)).toEqual(before);
        expect(way.filter(({ sign }) => sign !== "-").map(({ text }) => text)).toEqual(after);
        expect(way.filter(({ sign }) => sign === " ")).toHaveLength(longestCommon(before, after));
      }),
    );
  });

  it("come with a few lines around them, the rest as gaps", () => {
    const before = [..."abcdefghij"].join("\n");
    const shown = withContext(diffLines(before, before.replace("e", "E")), 1);
    expect(shown).toEqual([
      { left: 3 },
      { sign: " ", text: "d" },
      { sign: "-", text: "e" },
      { sign: "+", text: "E" },
      { sign: " ", text: "f" },
      { left: 4 },
    ]);
  });
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const table = [...a, ""].map(() => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = table[i] as number[];
      const next = table[i + 1] as number[];
      row[j] = a[i] === b[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  return table[0]?.[0] ?? 0;
}
