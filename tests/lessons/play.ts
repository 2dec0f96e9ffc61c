// Every runnable block of a lesson is typed, in order, on the lesson's cluster, in each language; where output follows, it is what was
// printed.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { locales } from "#i18n/locales.ts";
import type { LabDefinition } from "#lab/definition.ts";
import { startWorld } from "#lab/lab-world.ts";
import { type TypedResult, Typist } from "../typist.ts";
import { type LessonBlock, lessonBlocks, normalized } from "./blocks.ts";

export const lessonsFolder = join("content", "lessons");

export interface LessonText {
  readonly path: string;
  readonly blocks: readonly LessonBlock[];
}

/** The lesson that is named after a lab, in each language that has it; none for a sandbox. */
export function lessonTexts(labId: string): readonly LessonText[] {
  return readdirSync(lessonsFolder)
    .flatMap((locale) => readdirSync(join(lessonsFolder, locale)).map((part) => join(lessonsFolder, locale, part, `${labId}.mdx`)))
    .filter((path) => existsSync(path))
    .map((path) => ({ path, blocks: lessonBlocks(readFileSync(path, "utf8")) }));
}

/** A reader's cluster has a seed of its own: what a lesson shows must come in any, so each language is played in another. */
function seedOf(path: string): number {
  return 12 + locales.findIndex((locale) => path.startsWith(join(lessonsFolder, locale)));
}

/** Plays a lesson's blocks; what is not as it must be, in lines. */
export function playLesson({ path, blocks }: LessonText, lab: LabDefinition, seed = seedOf(path)): readonly string[] {
  if (!blocks.some(({ kind }) => kind === "run")) return [`${path} has no block to run`];
  const faults: string[] = [];
  const typist = new Typist(startWorld(lab, { startMs: Date.UTC(2026, 0, 15, 9), seed }));
  for (const [index, block] of blocks.entries()) {
    const place = `${path}:${block.line}`;
    if (block.kind === "file" && `${block.text}\n` !== lab.files[block.file ?? ""])
      faults.push(`${place}: is not the lab's file ${block.file}`);
    if (block.kind !== "run") continue;
    const results = typist.runScript(block.text);
    const next = blocks[index + 1];
    faults.push(...(next?.kind === "output" ? otherOutput(place, next.text, results) : failures(place, results)));
  }
  return faults;
}

function otherOutput(place: string, shown: string, results: readonly TypedResult[]): readonly string[] {
  const wanted = normalized(shown);
  const printed = normalized(results.map(({ output }) => output).join(""));
  if (printed === wanted) return [];
  return [`${place}: what was printed is not what stands below it`, ...marked("- ", wanted), ...marked("+ ", printed)];
}

function marked(mark: string, text: string): readonly string[] {
  return text.split("\n").map((line) => mark + line);
}

/** A command that is meant to fail shows its output, or says so by a time-out of its own. */
function failures(place: string, results: readonly TypedResult[]): readonly string[] {
  const failed = results.filter(({ command, code }) => code !== 0 && !command.includes("--timeout="));
  return failed.flatMap(({ command, code, output }) => [
    `${place}: exit code ${code}: ${command}`,
    ...marked("  ", output.trimEnd()),
  ]);
}
