import { describe, expect, it } from "vitest";
import { stringFiles as files } from "./build.ts";
import { locales } from "./locales.ts";
import { keyPaths, parityProblems } from "./parity.ts";
import { createTranslator, joinStrings } from "./translator.ts";

describe("UI strings", () => {
  it("have the same keys in all four languages", () => {
    expect(parityProblems(files)).toEqual([]);
  });

  it("use the same placeholders in all four languages", () => {
    const placeholders = (strings: unknown): Record<string, string> => {
      const found: Record<string, Set<string>> = {};
      const walk = (value: unknown, path: string): void => {
        if (typeof value === "string") {
          const names = [...value.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? "");
          const stem = path.replace(/_(one|other)$/, "");
          found[stem] = new Set([...(found[stem] ?? []), ...names]);
        } else for (const [key, inner] of Object.entries(value ?? {})) walk(inner, `${path}.${key}`);
      };
      walk(strings, "");
      return Object.fromEntries(Object.entries(found).map(([path, names]) => [path, [...names].sort().join(",")]));
    };
    for (const locale of locales) expect(placeholders(files[locale]), locale).toEqual(placeholders(files.fr));
  });

  it("names the file and the key when one is missing", () => {
    expect(parityProblems({ fr: { a: { b: "x" } }, zh: {}, ja: { a: { b: "y" } }, es: { a: { b: "z" } } })).toEqual([
      'src/i18n/zh.json: "a.b" is missing',
    ]);
  });

  it("counts plural forms as one key, since languages differ in them", () => {
    expect([...keyPaths({ left_one: "1", left_other: "n" })]).toEqual(["left"]);
  });

  it("of two files of a language are one, also where both have words for the classroom", () => {
    const joined = joinStrings({ a: "1", classroom: { learner: "2" } }, { classroom: { teacher: "3" } });
    expect(joined).toEqual({ a: "1", classroom: { learner: "2", teacher: "3" } });
  });

  it("throws for a key that is not there, so that no page is built with a hole", () => {
    expect(() => createTranslator("ja", {})("nav.about")).toThrow('UI string "nav.about" is missing in src/i18n/ja.json');
  });

  it("finds plural forms and fills placeholders", () => {
    expect(createTranslator("fr", files.fr)("home.written", { count: 1, total: 34 })).toBe("1 leçon écrite sur 34");
    expect(createTranslator("fr", files.fr)("home.written", { count: 2, total: 34 })).toBe("2 leçons écrites sur 34");
  });
});
