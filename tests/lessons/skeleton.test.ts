// A lesson is the same in all four languages but for its words.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { labIds, labLocales } from "#lab/catalog.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { type LessonBlock, lessonBlocks } from "./blocks.ts";
import { lessonsFolder } from "./play.ts";

const labs = labIds(readLabSources());

/** `workloads/deployment-create`, for every lesson that exists in the first language. */
const lessons = readdirSync(`${lessonsFolder}/${labLocales[0]}`, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".mdx"))
  .map((name) => name.slice(0, -".mdx".length));

/** A block without its comments, which each language writes in its own words. */
function withoutComments({ kind, language, file, text }: LessonBlock): object {
  return { kind, language, file, text: text.replace(/(^|\s)#.*$/gm, "$1#") };
}

describe.each(lessons)("lesson %s", (lesson) => {
  const pathOf = (locale: string): string => `${lessonsFolder}/${locale}/${lesson}.mdx`;

  it("exists in all four languages, with the same headings, blocks, figures and questions", () => {
    for (const locale of labLocales) expect(existsSync(pathOf(locale)), pathOf(locale)).toBe(true);
    const skeleton = (locale: string): object => {
      const source = readFileSync(pathOf(locale), "utf8");
      const count = (pattern: RegExp): number => (source.match(pattern) ?? []).length;
      return {
        headings: count(/^##+ /gm),
        blocks: lessonBlocks(source).map(withoutComments),
        figures: count(/<Figure /g),
        predictions: count(/<Predict /g),
        questions: count(/<Question>/g),
        answers: count(/<Answer /g),
        right: count(/<Answer correct/g),
        labs: count(/<Lab \/>/g),
      };
    };
    for (const locale of labLocales.slice(1)) expect(skeleton(locale), locale).toEqual(skeleton(labLocales[0]));
  });

  it("has the lab that is named after it, with which its blocks are proved", () => {
    const slug = lesson.slice(lesson.lastIndexOf("/") + 1);
    expect(labs).toContain(slug);
    for (const locale of labLocales) expect(/^lab: (\S+)$/m.exec(readFileSync(pathOf(locale), "utf8"))?.[1], locale).toBe(slug);
  });
});
