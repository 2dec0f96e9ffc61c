import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { civilDate, daysFromCivil } from "#sim/calendar.ts";
import { expandBraces } from "../interpreter/braces.ts";
import { runShell } from "../shell-fixture.ts";
import { formatDate } from "./date-text.ts";
import { parseDate } from "./parse-date.ts";
import { escapePattern, matchesPattern } from "./pattern.ts";
import { quoteWord, singleQuote } from "./quote.ts";

const printable = fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => !/[\0\uFFFD]/u.test(text) && text.isWellFormed());

describe("quoting", () => {
  it("reads every quoted text back as itself", () => {
    fc.assert(
      fc.property(printable, (text) => {
        expect(runShell(`printf %s ${quoteWord(text)}`).stdout).toBe(text);
        expect(runShell(`printf %s ${singleQuote(text)}`).stdout).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it("splits words that hold no separators back into themselves", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z0-9]{1,6}$/u), { minLength: 1, maxLength: 6 }), (words) => {
        expect(runShell(`x='${words.join("  ")}'; for w in $x; do echo $w; done`).stdout).toBe(
          words.map((word) => `${word}\n`).join(""),
        );
      }),
      { numRuns: 30 },
    );
  });
});

describe("patterns", () => {
  it("matches an escaped text exactly", () => {
    fc.assert(
      fc.property(
        printable,
        printable,
        (text, other) =>
          matchesPattern(escapePattern(text), text) && (text === other || !matchesPattern(escapePattern(text), other)),
      ),
    );
  });

  it.each([
    ["*.yaml", "a.yaml", true],
    ["[!a-c]x", "dx", true],
    ["[[:digit:]]*", "7up", true],
    ["@(a|b)c", "bc", true],
    ["!(a)", "a", false],
    ["a?c", "a你c", true],
    ["[a", "[a", true],
  ])("%s against %s", (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });
});

describe("braces", () => {
  it("leaves a text without braces alone", () => {
    fc.assert(fc.property(fc.stringMatching(/^[^{}]*$/u), (text) => expandBraces(text).join("\0") === text));
  });
});

describe("dates", () => {
  it("is its own inverse over four centuries", () => {
    fc.assert(
      fc.property(fc.integer({ min: -60_000, max: 120_000 }), (days) => {
        const date = civilDate(days * 86_400_000);
        return daysFromCivil(date.year, date.month, date.day) === days;
      }),
    );
  });

  it("reads what it writes", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_000_000_000 }),
        (seconds) => parseDate(formatDate("%FT%TZ", seconds * 1000), 0) === seconds * 1000,
      ),
    );
  });
});
