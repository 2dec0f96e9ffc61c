// Which labs a run of the tests takes: all of a small course; of a large one those that changed lately and some of the others, which
// turn with the commit. PILOTHOUSE_LABS says otherwise: `all`, or names.

import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { readCurriculum } from "#course/curriculum.ts";
import { lessonBlocks } from "../lessons/blocks.ts";
import { type History, history, inTurn } from "../turns.ts";

/** Besides those touched. */
const sampleSize = 12;
/** Of those touched, as many are typed at most: a change of all texts touches all labs. */
const mostTyped = 4;
/** Besides those, a lab of as many parts of the course is typed, which turn with the commit too. */
const partsTyped = 5;

/** Undefined: nothing is wished for. What is wished for is done whatever is known of it. */
export function wishedLabs(ids: readonly string[]): readonly string[] | undefined {
  const words = (process.env["PILOTHOUSE_LABS"] ?? "").split(/[\s,]+/).filter((word) => word !== "");
  if (words.length === 0) return undefined;
  if (words.includes("all")) return ids;
  const unknown = words.find((word) => !ids.includes(word));
  if (unknown !== undefined) throw new Error(`there is no lab ${unknown}; there are ${ids.join(", ")}`);
  return words;
}

/** Labs whose own files or lessons are changed lately. */
export function touchedLabs(ids: readonly string[]): readonly string[] {
  const paths = history.changedLately("--", "labs", "content/lessons").join("\n");
  const names = [...paths.matchAll(/^(?:labs\/([^/\n]+)\/|content\/lessons\/[^/\n]+\/[^/\n]+\/([^/\n]+)\.mdx$)/gm)];
  const touched = new Set(names.map(([, lab, lesson]) => lab ?? lesson));
  return ids.filter((id) => touched.has(id));
}

/** Of those touched, the ones that need another proof: not the words of lab and lesson are changed, but what is typed and checked. */
function changedLabs(ids: readonly string[], { changedLately, textsBefore }: History): readonly string[] {
  const paths = changedLately("--", "labs", "content/lessons");
  const own = paths.flatMap((path) => /^labs\/([^/]+)\/(?![a-z]{2}\.yaml$)/.exec(path)?.[1] ?? []);
  const lessons = paths.filter((path) => path.endsWith(".mdx"));
  const before = textsBefore(lessons);
  const ofLessons = lessons
    .filter((path, index) => typedIn(existsSync(path) ? readFileSync(path, "utf8") : "") !== typedIn(before[index] ?? ""))
    .map((path) => basename(path, ".mdx"));
  const changed = new Set([...own, ...ofLessons]);
  return ids.filter((id) => changed.has(id));
}

/** A lesson's blocks, wherever they stand. */
function typedIn(lesson: string): string {
  return JSON.stringify(lessonBlocks(lesson).map((block) => ({ ...block, line: 0 })));
}

export interface Choice {
  readonly chosen: readonly string[];
  readonly leftOut: readonly string[];
  readonly touched: number;
}

function choice(ids: readonly string[], chosen: readonly string[], touched: number): Choice {
  return { chosen, leftOut: ids.filter((id) => !chosen.includes(id)), touched };
}

/** Of labs that are not known to hold: those with another proof, and a sample of the others. */
export function chooseToProve(ids: readonly string[], past: History = history): Choice {
  const touched = changedLabs(ids, past);
  const others = ids.filter((id) => !touched.includes(id));
  return choice(ids, [...touched, ...inTurn(others).slice(0, sampleSize)], touched.length);
}

/** Typing takes half a minute a lab: those touched, not too many, one of each of some parts of the course, and one capstone. */
export function chooseToType(ids: readonly string[]): Choice {
  const wish = wishedLabs(ids);
  if (wish !== undefined) return choice(ids, wish, 0);
  const touched = inTurn(touchedLabs(ids)).slice(0, mostTyped);
  const capstones = ids.filter((id) => id.startsWith("capstone-"));
  const parts = readCurriculum().map(({ lessons }) => ids.filter((id) => lessons.some(({ slug }) => slug === id)));
  const inParts = parts.flatMap((part) => inTurn(part).slice(0, 1));
  const ofParts = [...inTurn(inParts).slice(0, partsTyped), ...inTurn(capstones).slice(0, 1)];
  return choice(ids, [...new Set([...touched, ...ofParts])], touched.length);
}
