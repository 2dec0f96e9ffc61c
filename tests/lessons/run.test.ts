// Every runnable block of every lesson is typed, in order, on the lesson's cluster, in each language; where output
// follows, it is what was printed.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { labFromSources, labIds, labLocales } from "#lab/catalog.ts";
import { startWorld } from "#lab/lab-world.ts";
import { readLabSources } from "../labs.ts";
import { Typist } from "../typist.ts";
import { type LessonBlock, lessonBlocks, normalized } from "./blocks.ts";

const sources = readLabSources();
const lessonsFolder = join("content", "lessons");

/** `workloads/deployment-create`, for every lesson that exists in the first language. */
const lessons = readdirSync(join(lessonsFolder, labLocales[0]), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".mdx"))
  .map((name) => name.slice(0, -".mdx".length));

function pathOf(locale: string, lesson: string): string {
  return join(lessonsFolder, locale, `${lesson}.mdx`);
}

function blocksOf(locale: string, lesson: string): readonly LessonBlock[] {
  return lessonBlocks(readFileSync(pathOf(locale, lesson), "utf8"));
}

/** A block without its comments, which each language writes in its own words. */
function withoutComments({ kind, language, file, text }: LessonBlock): object {
  return { kind, language, file, text: text.replace(/(^|\s)#.*$/gm, "$1#") };
}

describe.each(lessons)("lesson %s", (lesson) => {
  it("exists in all four languages, with the same headings, blocks, figures and questions", () => {
    for (const locale of labLocales) expect(existsSync(pathOf(locale, lesson)), pathOf(locale, lesson)).toBe(true);
    const skeleton = (locale: string): object => {
      const source = readFileSync(pathOf(locale, lesson), "utf8");
      const count = (pattern: RegExp): number => (source.match(pattern) ?? []).length;
      return {
        headings: count(/^##+ /gm),
        blocks: blocksOf(locale, lesson).map(withoutComments),
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

  it.each(labLocales)("runs in %s", (locale) => {
    const blocks = blocksOf(locale, lesson);
    const labId = /^lab: (\S+)$/m.exec(readFileSync(pathOf(locale, lesson), "utf8"))?.[1] ?? "";
    expect(labIds(sources)).toContain(labId);
    const lab = labFromSources(sources, labId);
    const world = startWorld(lab, { startMs: Date.UTC(2026, 0, 15, 9), seed: 11 });
    const typist = new Typist(world);
    expect(blocks.some(({ kind }) => kind === "run")).toBe(true);
    for (const [index, block] of blocks.entries()) {
      const place = `${pathOf(locale, lesson)}:${block.line}`;
      if (block.kind === "file") expect(`${block.text}\n`, place).toBe(lab.files[block.file ?? ""]);
      if (block.kind !== "run") continue;
      const results = typist.runScript(block.text);
      const next = blocks[index + 1];
      if (next?.kind === "output") {
        expect(normalized(results.map(({ output }) => output).join("")), `${place}, output`).toBe(normalized(next.text));
        continue;
      }
      // A command that is meant to fail shows its output, or says so by a time-out of its own.
      for (const { command, code, output } of results) {
        const mayFail = command.includes("--timeout=");
        expect({ place, command, output, failed: code !== 0 && !mayFail }).toMatchObject({ failed: false });
      }
    }
  });
});
