import { describe, expect, it } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

function lines(...parts: readonly string[]): string {
  return parts.map((line) => `${line}\n`).join("");
}

describe("the difference in a refusal's message", () => {
  it.each<readonly [string, unknown, unknown, string]>([
    ["is empty for equal values", { a: 1 }, { a: 1 }, ""],
    [
      "has three lines of context, and a hunk for each change that is far from the next",
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      [0, 2, 3, 4, 5, 6, 7, 8, 9, 11],
      lines(
        "@@ -1,5 +1,5 @@",
        " [",
        "- 1,",
        "+ 0,",
        "  2,",
        "  3,",
        "  4,",
        "@@ -8,5 +8,5 @@",
        "  7,",
        "  8,",
        "  9,",
        "- 10",
        "+ 11",
        " ]",
      ),
    ],
    [
      "[POD-122] is aligned by the longest run of equal lines, not by the fewest changes",
      ["x", "a", "b", "c", "y"],
      ["a", "z", "b", "y", "a", "b", "c", "w"],
      lines(
        "@@ -1,7 +1,10 @@",
        " [",
        '- "x",',
        '+ "a",',
        '+ "z",',
        '+ "b",',
        '+ "y",',
        '  "a",',
        '  "b",',
        '  "c",',
        '- "y"',
        '+ "w"',
        " ]",
      ),
    ],
    [
      "escapes what Go's JSON does",
      { text: "a<b" },
      { text: "a&\u2028>" },
      lines("@@ -1,3 +1,3 @@", " {", '- "text": "a\\u003cb"', '+ "text": "a\\u0026\\u2028\\u003e"', " }"),
    ],
  ])("%s", (_title, before, after, expected) => {
    expect(unifiedDiff(before, after)).toBe(expected);
  });

  it("[POD-122] does not align a long text by lines that stand in it often", () => {
    const filling = Array.from({ length: 230 }, (_, index) => index);
    const often = Array.from({ length: 4 }, () => "often");
    const refusal = unifiedDiff(["gone", ...often, ...filling], ["new", ...often, "between", ...filling]);
    const [taken, added] = [often.map((word) => `- "${word}",`), often.map((word) => `+ "${word}",`)];
    const context = ["  0,", "  1,", "  2,"];
    expect(refusal).toBe(lines("@@ -1,9 +1,10 @@", " [", '- "gone",', ...taken, '+ "new",', ...added, '+ "between",', ...context));
  });
});
