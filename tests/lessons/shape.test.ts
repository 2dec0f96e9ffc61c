// What every lesson has in every language: its last headings, the word on what comes next, the same words explained.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCurriculum } from "#course/curriculum.ts";
import { type Locale, locales } from "#i18n/locales.ts";

const thin = "\u202f";

/** How a lesson ends: lab, questions, summary. */
const lastHeadings: Readonly<Record<Locale, readonly string[]>> = {
  fr: ["TP", "Questions", "Récapitulatif"],
  zh: ["实验", "小测验", "小结"],
  ja: ["ハンズオン", "問題", "まとめ"],
  es: ["Laboratorio", "Preguntas", "En resumen"],
};

const quoted: Readonly<Record<Locale, (title: string) => string>> = {
  fr: (title) => `«${thin}${title}${thin}»`,
  zh: (title) => `《${title}》`,
  ja: (title) => `「${title}」`,
  es: (title) => `“${title}”`,
};

/** Headings have no article in front. */
const articles: Partial<Record<Locale, RegExp>> = { fr: /^(Le|La|Les) |^L’/, es: /^(El|La|Los|Las) / };

/** Bold words whose asterisks Markdown would show: they begin or end with a mark, and a letter stands beside it. `<strong>` has no such rule. */
function shownAsterisks(source: string): readonly string[] {
  const bold = source.matchAll(/(?<=(.?))\*\*([^*\n]+)\*\*(?=(.?))/gu);
  return [...bold].flatMap(([found, before = "", words = "", after = ""]) =>
    (/^[\p{P}\p{S}]/u.test(words) && letter.test(before)) || (/[\p{P}\p{S}]$/u.test(words) && letter.test(after)) ? [found] : [],
  );
}

const letter = /[\p{L}\p{N}]/u;

const course = readCurriculum().flatMap((part) => part.lessons);
const written = course.filter((lesson) => existsSync(pathOf(locales[0], lesson)));

function pathOf(locale: Locale, { part, slug }: { readonly part: string; readonly slug: string }): string {
  return join("content", "lessons", locale, part, `${slug}.mdx`);
}

function sourceOf(locale: Locale, lesson: { readonly part: string; readonly slug: string }): string {
  return readFileSync(pathOf(locale, lesson), "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");
}

/** A written lesson's own title, else the planned one. */
function titleOf(locale: Locale, lesson: (typeof course)[number]): string {
  if (!existsSync(pathOf(locale, lesson))) return lesson.title[locale];
  return /^title: "?(.*?)"?$/m.exec(sourceOf(locale, lesson))?.[1] ?? "";
}

/** Where a text names a lesson or a capstone by its title; in Chinese the marks alone say so. */
const citations: Readonly<Record<Locale, RegExp>> = {
  fr: /leçons? (?:suivante, )?«\u202f([^»]*)\u202f»/gu,
  zh: /《([^》]*)》/gu,
  ja: /レッスン「([^」]*)」/gu,
  es: /lecci(?:ón|ones) (?:siguiente, )?“([^”]*)”/gu,
};

/** Marked as titles are, and no lesson's: a newspaper's headline, a page of a team. */
const otherTitles: ReadonlySet<string> = new Set(["大熊猫幼崽首次亮相", "支付永远在运行"]);

function capstoneTitles(locale: Locale): readonly string[] {
  const folders = readdirSync("labs").filter((name) => name.startsWith("capstone-"));
  return folders.map((name) => /^title: "?(.*?)"?$/m.exec(readFileSync(join("labs", name, `${locale}.yaml`), "utf8"))?.[1] ?? "");
}

describe.each(locales)("titles named in %s", (locale) => {
  const titles = new Set([...course.map((lesson) => titleOf(locale, lesson)), ...capstoneTitles(locale)]);

  it("are those of lessons and capstones", () => {
    const labs = readdirSync("labs", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const texts = [
      ...written.map((lesson) => [lesson.slug, sourceOf(locale, lesson)] as const),
      ...labs.map(({ name }) => [`lab ${name}`, readFileSync(join("labs", name, `${locale}.yaml`), "utf8")] as const),
    ];
    const wrong = texts.flatMap(([name, text]) =>
      [...text.matchAll(citations[locale])].flatMap(([, title = ""]) =>
        titles.has(title.replaceAll("`", "")) || otherTitles.has(title) ? [] : [`${name}: ${title}`],
      ),
    );
    expect(wrong).toEqual([]);
  });
});

describe.each(written.map((lesson) => [lesson.slug, lesson] as const))("lesson %s", (_, lesson) => {
  it("explains the same words, with the same tables and right answers, in all four languages", () => {
    const shape = (locale: Locale): object => {
      const source = sourceOf(locale, lesson);
      return {
        words: (source.match(/<Term\s+en="[^"]*"/g) ?? []).sort(),
        rows: (source.match(/^\|/gm) ?? []).length,
        points: (source.match(/^(- |\d+\. )/gm) ?? []).length,
        answers: (source.match(/<Answer (correct )?/g) ?? []).map((answer) => answer.includes("correct")),
      };
    };
    for (const locale of locales.slice(1)) expect(shape(locale), locale).toEqual(shape(locales[0]));
  });

  describe.each(locales)("in %s", (locale) => {
    const headings = (sourceOf(locale, lesson).match(/^## .*$/gm) ?? []).map((line) => line.slice("## ".length));

    it("ends with its lab, questions and summary", () => {
      expect(headings.slice(-3)).toEqual(lastHeadings[locale]);
    });

    it("has headings without an article in front", () => {
      expect(headings.filter((heading) => articles[locale]?.test(heading))).toEqual([]);
    });

    it("has lists of fragments or of sentences, without semicolons between them", () => {
      expect(sourceOf(locale, lesson).match(/^(- |\d+\. ).*[;；]$/gm) ?? []).toEqual([]);
    });

    it("has bold type that Markdown sees", () => {
      expect(shownAsterisks(sourceOf(locale, lesson))).toEqual([]);
    });

    it("says what comes next, by the title of the next lesson", () => {
      const next = course[course.indexOf(lesson) + 1];
      const last = sourceOf(locale, lesson).trim().split("\n").at(-1);
      if (next !== undefined) expect(last).toContain(quoted[locale](titleOf(locale, next)));
    });
  });
});
