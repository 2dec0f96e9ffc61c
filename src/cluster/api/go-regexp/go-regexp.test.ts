// What stands here was asked of Go 1.26; tests/oracle/go-regexps.ts asks it more.

import { describe, expect, it } from "vitest";
import { GoRegExpError, goRegExp } from "./go-regexp.ts";

/** Expression, text, all that Go finds in it. */
const finds: readonly (readonly [pattern: string, text: string, ...found: readonly string[]])[] = [
  ["a+", "caab a", "aa", "a"],
  ["a|ab", "ab", "a"],
  ["(?:ab|a)b?", "abb", "abb"],
  ["a*?", "aa", "", "", ""],
  ["(?U)a+", "aa", "a", "a"],
  ["(|a)*", "aaa", "", "", "", ""],
  ["(|a)+", "aaa", "", "", "", ""],
  ["(a*)*", "aab", "aa", ""],
  ["x*", "axb", "", "x", ""],
  ["a{2,3}", "aaaaa", "aaa", "aa"],
  ["a{,3}", "a{,3}", "a{,3}"],
  ["^a", "a\na", "a"],
  ["(?m)^a$", "a\na", "a", "a"],
  ["a$", "a\n"],
  ["a.", "a\nab", "ab"],
  ["(?s)a.", "a\nab", "a\n", "ab"],
  ["[^a]", "\n", "\n"],
  ["(?i)k", "kKſ\u212a", "k", "K", "\u212a"],
  ["(?i:a)b", "AbAB", "Ab"],
  ["(?i)[a-c]", "xB", "B"],
  ["(?i)\\w", "ſ", "ſ"],
  ["\\w", "éſ_", "_"],
  ["\\s", "\v\t", "\t"],
  ["[[:space:]]", "\v", "\v"],
  ["[[:^digit:]x]", "1x2", "x"],
  ["\\bé", "aé é", "é"],
  ["\\b", "a b", "", "", "", ""],
  ["\\pL\\PL", "漢1", "漢1"],
  ["\\p{Greek}+", "abλμ", "λμ"],
  ["\\p{lowercase letter}", "Aé", "é"],
  ["\\p{^Lu}", "Aa", "a"],
  ["[\\p{Nd}-]", "٣-", "٣", "-"],
  ["\\x41\\x{1F600}\\101\\07", "A😀A\u0007", "A😀A\u0007"],
  ["\\Q.*\\E+", ".**", ".**"],
  ["[]a]+", "]a", "]a"],
  ["[a-]+", "-a", "-a"],
  ["[\\d-z]+", "1-z", "1-z"],
  ["(?P<year>\\d+)-(?<m>\\d+)", "2026-01", "2026-01"],
  [".", "😀", "😀"],
];

/** Expression and Go's refusal. */
const refusals: readonly (readonly [pattern: string, refusal: string])[] = [
  ["(", "missing closing ): `(`"],
  ["a(b", "missing closing ): `a(b`"],
  ["a)b", "unexpected ): `a)b`"],
  ["[a", "missing closing ]: `[a`"],
  ["x[]", "missing closing ]: `[]`"],
  ["[z-a]", "invalid character class range: `z-a`"],
  ["[[:foo:]]", "invalid character class range: `[:foo:]`"],
  ["\\p{Foo}", "invalid character class range: `\\p{Foo}`"],
  ["\\p{Old_Italic}", "invalid character class range: `\\p{Old_Italic}`"],
  ["\\p{L", "invalid character class range: `\\p{L`"],
  ["*a", "missing argument to repetition operator: `*`"],
  ["(+?)", "missing argument to repetition operator: `+?`"],
  ["a|{2}", "missing argument to repetition operator: `{2}`"],
  ["a**", "invalid nested repetition operator: `**`"],
  ["a{2}+?b", "invalid nested repetition operator: `{2}+?`"],
  ["a{1001}", "invalid repeat count: `{1001}`"],
  ["a{3,2}", "invalid repeat count: `{3,2}`"],
  ["(a{100}){11}", "invalid repeat count: `{11}`"],
  ["\\1", "invalid escape sequence: `\\1`"],
  ["\\y", "invalid escape sequence: `\\y`"],
  ["\\C", "invalid escape sequence: `\\C`"],
  ["\\xg1", "invalid escape sequence: `\\xg1`"],
  ["\\x{110000}", "invalid escape sequence: `\\x{110000`"],
  ["a\\", "trailing backslash at end of expression: ``"],
  ["(?=a)", "invalid or unsupported Perl syntax: `(?=`"],
  ["(?<=a)b", "invalid named capture: `(?<=a)b`"],
  ["(?P<a b>c)", "invalid named capture: `(?P<a b>`"],
  ["(?i-)", "invalid or unsupported Perl syntax: `(?i-)`"],
];

describe("Go's regular expressions", () => {
  it.each(finds)("%j finds in %j what Go finds", (pattern, text, ...found) => {
    expect(goRegExp(pattern).findAll(text)).toEqual(found);
    expect(goRegExp(pattern).test(text)).toBe(found.length > 0);
    expect(goRegExp(pattern).find(text)).toBe(found[0]);
  });

  it.each(refusals)("%j is refused in Go's words", (pattern, refusal) => {
    expect(() => goRegExp(pattern)).toThrow(new GoRegExpError(...(refusal.slice(0, -1).split(": `") as [string, string])));
  });

  it("takes no more time than the text is long, where others go back and forth", () => {
    expect(goRegExp("^(a+)+$").test(`${"a".repeat(2000)}b`)).toBe(false);
  });

  it("has bounds of size and depth", () => {
    expect(() => goRegExp(`(?:${"x".repeat(4000)}){1000}`)).toThrow("expression too large");
    expect(() => goRegExp(`${"(".repeat(1001)}${")".repeat(1001)}`)).toThrow("expression nests too deeply");
  });

  it("finds as many as are asked for", () => {
    expect(goRegExp("a").findAll("aaa", 2)).toEqual(["a", "a"]);
    expect(goRegExp("a").findAll("aaa", 0)).toEqual([]);
  });
});
