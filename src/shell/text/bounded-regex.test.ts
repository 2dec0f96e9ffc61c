import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundedRegExp } from "./bounded-regex.ts";

const long = "a".repeat(3000);

describe("bounded regular expressions", () => {
  it.each([
    ["(a+)+$", "nested repetitions"],
    ["(a|aa)+$", "choices that overlap"],
    ["(.*)*x", "a repetition of what may be empty"],
    ["a*a*a*a*a*b", "many repetitions"],
    ["(?:a{1,6}){1,6}!{2}", "counted repetitions"],
  ])("%s ends soon on what it does not match", (source) => {
    expect(new BoundedRegExp(source, "u").exec(`${long}!`)).toBeNull();
  });

  it("gives up on back references that take too long", () => {
    expect(() => new BoundedRegExp("^(a+)(a+)(a+)\\1\\2\\3!?b", "u").exec(`${long}`)).toThrow("Cannot allocate memory");
  });

  it("is a RegExp in all its uses", () => {
    const text = `${long}b${long}b`;
    expect(text.replace(new BoundedRegExp("(?<run>a+)+b", "gu"), "[$<run>|$1]").length).toBe(2 * (2 * 3000 + 3));
    expect([...text.matchAll(new BoundedRegExp("(a+)+b", "gu"))].map(({ index }) => index)).toEqual([0, 3001]);
    expect(text.split(new BoundedRegExp("(?:b|bb)+", "u"))).toEqual([long, long, ""]);
    expect(new BoundedRegExp("^(a|b)+$", "iu").test(text.toUpperCase())).toBe(true);
  });

  it("finds what JavaScript's own finds", () => {
    const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "^", "$", "\\b", "(?=a)");
    const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
      part: fc.oneof(
        { maxDepth: 3 },
        atom,
        fc.tuple(tie("pattern"), fc.constantFrom("", "?:")).map(([inner, kind]) => `(${kind}${inner})`),
        fc
          .tuple(
            fc.constantFrom("a", "b", ".", "[ab]", "(?:ab)", "(a|ab)"),
            fc.constantFrom("*", "+", "?", "{2}", "{1,3}", "*?", "+?", "{2,}"),
          )
          .map(([of, times]) => of + times),
      ),
      pattern: fc
        .array(tie("part"), { minLength: 1, maxLength: 4 })
        .chain((parts) => fc.constantFrom(parts.join(""), parts.join("|"))),
    }));
    // Long enough for the other matcher, short enough for JavaScript's.
    const text = fc.array(fc.constantFrom("a", "b", "c", "ab"), { minLength: 15, maxLength: 20 }).map((words) => words.join(""));
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        const forced = new BoundedRegExp(`(?:(?:${source})|(?:z+)+)`, "u").exec(subject);
        const plain = new RegExp(`(?:(?:${source})|(?:z+)+)`, "u").exec(subject);
        expect(forced === null ? null : [forced.index, forced[0]]).toEqual(plain === null ? null : [plain.index, plain[0]]);
      }),
      { numRuns: 2000 },
    );
  });
});
