// Asks for every title and every word of the glossary, in four languages, as a reader would type them.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Locale, languageTags, locales } from "#i18n/locales.ts";
import { readCurriculum } from "../curriculum.ts";
import { explainedWords } from "../explained-words.ts";
import { findTerm } from "../terminology.ts";
import { CourseSearch } from "./course-search.ts";
import { type IndexedPart, makeHeads, makeTexts } from "./make-index.ts";

const lessonCount = 8;

function partsOf(locale: Locale): readonly IndexedPart[] {
  return readCurriculum()
    .map((part) => ({
      slug: part.slug,
      title: part.title[locale],
      lessons: part.lessons.flatMap(({ slug }) => {
        const file = (of: Locale): string => join("content", "lessons", of, part.slug, `${slug}.mdx`);
        if (!locales.every((other) => existsSync(file(other)))) return [];
        const source = readFileSync(file(locale), "utf8");
        const head: { title: string; summary: string } = parse(/^---\n([\s\S]*?)\n---/.exec(source)?.[1] ?? "");
        const headings = source.replace(/^```[\s\S]*?^```$/gm, "").match(/^#{2,3} /gm) ?? [];
        return [
          { slug, title: head.title, summary: head.summary, source, anchors: headings.map((_, index) => `section-${index}`) },
        ];
      }),
    }))
    .filter(({ lessons }) => lessons.length > 0);
}

interface Edition {
  readonly parts: readonly IndexedPart[];
  /** Before and after the texts have come. */
  readonly early: CourseSearch;
  readonly full: CourseSearch;
}

const editions = new Map<Locale, Edition>(
  locales.map((locale) => {
    const parts = partsOf(locale);
    const heads = makeHeads(parts, locale);
    const [early, full] = [new CourseSearch(heads, languageTags[locale]), new CourseSearch(heads, languageTags[locale])];
    for (const part of parts) full.addTexts(part.slug, makeTexts(part));
    return [locale, { parts, early, full }];
  }),
);

function edition(locale: Locale): Edition {
  const found = editions.get(locale);
  if (found === undefined) throw new Error(locale);
  return found;
}

function paths(search: CourseSearch, typed: string): readonly string[] {
  return search.find(typed, lessonCount).lessons.map(({ path }) => path);
}

/** "path" by English word: the lessons that explain it. */
function explaining(parts: readonly IndexedPart[]): ReadonlyMap<string, readonly string[]> {
  const lessons = new Map<string, string[]>();
  for (const part of parts)
    for (const { slug, source } of part.lessons)
      for (const en of new Set(explainedWords(source).map((word) => findTerm(word.en).en)))
        lessons.set(en, [...(lessons.get(en) ?? []), `${part.slug}/${slug}`]);
  return lessons;
}

describe.each(locales)("search in %s", (locale) => {
  const { parts, early, full } = edition(locale);

  it("finds every lesson first by its title, before and after the texts have come", () => {
    const wrong = parts.flatMap((part) =>
      part.lessons.flatMap(({ slug, title }) =>
        [early, full].map((search) => [title, paths(search, title)[0] ?? "nothing", `${part.slug}/${slug}`]),
      ),
    );
    expect(wrong.filter(([, found, wanted]) => found !== wanted)).toEqual([]);
  });

  it("finds every lesson by its title in small letters, without accents and marks", () => {
    const plain = (title: string): string =>
      title
        .toLowerCase()
        .normalize("NFD")
        .replace(/[\u0300-\u036f]/g, "")
        .normalize("NFC")
        .replace(/[\p{P}\p{S}]/gu, " ");
    const wrong = parts.flatMap((part) =>
      part.lessons.map(({ slug, title }) => [plain(title), paths(full, plain(title))[0] ?? "nothing", `${part.slug}/${slug}`]),
    );
    expect(wrong.filter(([, found, wanted]) => found !== wanted)).toEqual([]);
  });

  it("answers a word of the glossary, its own or the English one, with a lesson that explains it, and names the glossary's entry", () => {
    const wrong: unknown[] = [];
    for (const [en, explainers] of explaining(parts))
      for (const typed of new Set([findTerm(en)[locale], en]))
        for (const search of [early, full]) {
          const found = search.find(typed, lessonCount);
          const [first = "nothing"] = found.lessons.map(({ path }) => path);
          if (!explainers.includes(first)) wrong.push([typed, first, explainers]);
          if (!found.words.some(({ forms }) => forms.includes(en))) wrong.push([typed, "no entry"]);
        }
    expect(wrong).toEqual([]);
  });

  it("names all the lessons that explain a word before those that merely hold it", () => {
    for (const [en, explainers] of explaining(parts)) {
      const found = paths(full, findTerm(en)[locale]).slice(0, explainers.length);
      expect([en, [...found].sort()]).toEqual([en, [...explainers].sort().filter((path) => found.includes(path))]);
    }
  });

  it("says so when no lesson holds what was typed", () => {
    expect(full.find("zzzzqqqq", lessonCount)).toEqual({ words: [], lessons: [], count: 0, holdsAll: true });
    expect(full.find("  ?!。 ", lessonCount).count).toBe(0);
    const some = full.find("kubectl zzzzqqqq", lessonCount);
    expect(some.holdsAll).toBe(false);
    expect(some.count).toBeGreaterThan(0);
  });
});

describe("search", () => {
  it.each([
    ["fr", ["ReplicaSet", "replica set", "replicaset", "REPLICASETS", "jeu de réplicas", "jeu de replicas"]],
    ["zh", ["ReplicaSet", "replica set", "副本集", "ＲeplicaＳet"]],
    ["ja", ["ReplicaSet", "replica set", "レプリカセット"]],
    ["es", ["ReplicaSet", "replica set", "conjunto de réplicas", "conjunto de replicas"]],
  ] as const)("finds the same lesson in %s by %s", (locale, typed) => {
    for (const one of typed) expect([one, paths(edition(locale).full, one)[0]]).toEqual([one, "workloads/replicaset-first"]);
  });

  it.each([
    ["fr", ["réplica", "replica", "réplicas", "replicas", "Replica"]],
    ["zh", ["副本", "replica"]],
    ["ja", ["レプリカ", "replica"]],
    ["es", ["réplica", "replica", "réplicas", "replicas"]],
  ] as const)("finds the same lessons in %s by %s", (locale, typed) => {
    const first = edition(locale).full.find(typed[0], lessonCount);
    expect(first.count).toBeGreaterThan(0);
    for (const one of typed) {
      const found = edition(locale).full.find(one, lessonCount);
      expect([one, found.count, found.lessons[0]?.path]).toEqual([one, first.count, first.lessons[0]?.path]);
    }
  });

  it("keeps katakana whole: a word that no lesson has is not found by its pieces", () => {
    const { full } = edition("ja");
    expect(full.find("ズームレンズ", lessonCount).count).toBe(0);
    expect(full.find("コントローラーズームレンズ", lessonCount).holdsAll).toBe(false);
  });

  it("finds what programs print, words of commands and words of questions", () => {
    for (const locale of locales)
      for (const typed of ["deployment.apps/web created", "kubectl rollout status", "pod-template-hash"])
        expect([locale, typed, edition(locale).full.find(typed, lessonCount).count > 0]).toEqual([locale, typed, true]);
  });

  it("marks what was found, accents or not, and cuts between words", () => {
    const [lesson] = edition("es").full.find("replicas", lessonCount).lessons;
    const marked = lesson?.sections.flatMap(({ excerpt }) => excerpt.filter((piece) => piece.marked).map(({ text }) => text)) ?? [];
    expect(marked.length).toBeGreaterThan(0);
    for (const text of marked) expect(text.toLowerCase()).toMatch(/^r[eé]plica/);
  });

  it("loads little per lesson, so that two hundred stay under 1 MB per language", () => {
    for (const locale of locales) {
      const { parts } = edition(locale);
      const lessons = parts.reduce((sum, part) => sum + part.lessons.length, 0);
      const packed = (value: unknown): number => gzipSync(JSON.stringify(value)).length;
      const texts = parts.reduce((sum, part) => sum + packed(makeTexts(part)), 0);
      const heads = packed(makeHeads(parts, locale));
      if (process.env["PILOTHOUSE_SIZES"]) console.log(locale, { heads, texts, lessons });
      expect((200 * texts) / lessons).toBeLessThan(950_000);
      expect(heads).toBeLessThan(50_000);
    }
  });
});
