import { describe, expect, it } from "vitest";
import { caseFolds, categoryOf, classOf, isOf, lowerCase, rangesOfCategories, rangesOfScript, upperCase } from "./unicode.ts";

const code = (text: string): number => text.codePointAt(0) as number;

describe("properties of characters", () => {
  it("come from our own table, of the version that the release's Go has", () => {
    const categories = ["A", "é", "ǅ", "漢", "7", "²", "́", "_", "€", "\u200d", "\u2028", "\ud800", "\ue000"];
    expect(categories.map((character) => categoryOf(code(character)))).toEqual([
      "Lu",
      "Ll",
      "Lt",
      "Lo",
      "Nd",
      "No",
      "Mn",
      "Pc",
      "Sc",
      "Cf",
      "Zl",
      "Cs",
      "Co",
    ]);
    expect(categoryOf(0)).toBe("Cc");
    expect(categoryOf(0x10ffff)).toBe("Cn");
    // Assigned in Unicode 16 and 17.
    expect([0x1c89, 0x10d50, 0x16ea0].map(categoryOf)).toEqual(["Cn", "Cn", "Cn"]);
  });

  it("is asked for by one letter or two", () => {
    expect(isOf("é", "L")).toBe(true);
    expect(isOf("é", "Lu", "N")).toBe(false);
    expect(isOf("", "L")).toBe(false);
  });

  it("say the same of what no version changed as this engine does", () => {
    for (const category of ["L", "N", "Nd", "Mn", "Me", "Lu", "S", "Z"]) {
      const own = new RegExp(`^[${classOf(category)}]$`, "u");
      const engine = new RegExp(`^\\p{${category}}$`, "u");
      for (let at = 0; at < 0x3000; at += 1) {
        const character = String.fromCodePoint(at);
        if (categoryOf(at) !== "Cn" && own.test(character) !== engine.test(character))
          throw new Error(`${category} ${at.toString(16)}`);
      }
    }
  });

  it("are ranges in order that do not touch", () => {
    for (const ranges of [rangesOfCategories("L"), rangesOfScript("Latin") ?? []]) {
      expect(ranges.length).toBeGreaterThan(20);
      ranges.forEach(([first, last], index) => {
        expect(last).toBeGreaterThanOrEqual(first);
        if (index > 0) expect(first).toBeGreaterThan((ranges[index - 1]?.[1] ?? 0) + 1);
      });
    }
    expect(rangesOfScript("Greek")?.some(([first, last]) => first <= code("λ") && code("λ") <= last)).toBe(true);
    expect(rangesOfScript("Klingon")).toBeUndefined();
  });

  it("tell which characters differ in case only", () => {
    const orbit = (start: string): string => {
      let [found, at] = [start, caseFolds().get(code(start))];
      while (at !== undefined && at !== code(start)) {
        found += String.fromCodePoint(at);
        at = caseFolds().get(at);
      }
      return found;
    };
    expect(["A", "k", "S", "ω", "1"].map(orbit)).toEqual(["Aa", "k\u212aK", "Ss\u017f", "ω\u2126Ω", "1"]);
    for (const next of caseFolds().values()) expect(caseFolds().has(next)).toBe(true);
  });

  it("leave letters alone whose other case is newer", () => {
    expect([upperCase("straße é ɤ"), lowerCase("ÀΣ\u1c89")]).toEqual(["STRASSE É ɤ", "àσ\u1c89"]);
  });
});
