// Which labs a run of the tests takes: all of a small course; of a large one those that changed lately and some of the others, which
// turn with the commit. PILOTHOUSE_LABS says otherwise: `all`, or names.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readCurriculum } from "#course/curriculum.ts";

/** Besides those touched. */
const sampleSize = 20;
/** How far back a change counts as late: a merge is one. */
const lateCommits = 20;
/** Of those touched, as many are typed at most: a change of all texts touches all labs. */
const mostTyped = 5;

/** Everything is proved, typed and looked at: `npm test -- --all`. */
export function takesAll(): boolean {
  return process.env["PILOTHOUSE_LABS"] === "all";
}

/** Undefined: nothing is wished for. What is wished for is done whatever is known of it. */
export function wishedLabs(ids: readonly string[]): readonly string[] | undefined {
  const words = (process.env["PILOTHOUSE_LABS"] ?? "").split(/[\s,]+/).filter((word) => word !== "");
  if (words.length === 0) return undefined;
  if (words.includes("all")) return ids;
  const unknown = words.find((word) => !ids.includes(word));
  if (unknown !== undefined) throw new Error(`there is no lab ${unknown}; there are ${ids.join(", ")}`);
  return words;
}

function git(...args: readonly string[]): string {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 });
  return status === 0 ? stdout : "";
}

/** Labs whose own files or lessons are changed here or were by the last commits. */
export function touchedLabs(ids: readonly string[]): readonly string[] {
  const where = ["--", "labs", "content/lessons"];
  // A shallow clone's oldest commit brings all files: it is shown without any, as a first commit is.
  const late = ["-c", "log.showRoot=false", "log", "--first-parent", "-m", `-${lateCommits}`, "--name-only", "--format="];
  const paths = [
    git("diff", "--name-only", commitOfRun(), ...where),
    git("ls-files", "--others", "--exclude-standard", ...where),
    git(...late, commitOfRun()),
  ].join("\n");
  const names = [...paths.matchAll(/^(?:labs\/([^/\n]+)\/|content\/lessons\/[^/\n]+\/[^/\n]+\/([^/\n]+)\.mdx$)/gm)];
  const touched = new Set(names.map(([, lab, lesson]) => lab ?? lesson));
  return ids.filter((id) => touched.has(id));
}

/** The commit that a run began with, which its processes share: another one may be made while it goes on. */
export function commitOfRun(): string {
  process.env["PILOTHOUSE_COMMIT"] ??= git("rev-parse", "HEAD").trim();
  return process.env["PILOTHOUSE_COMMIT"];
}

/** The same at the same commit, another order at another. */
export function inTurn(ids: readonly string[], commit = commitOfRun()): readonly string[] {
  const place = (id: string): string => createHash("sha256").update(`${commit} ${id}`).digest("hex");
  return ids.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}

export interface Choice {
  readonly chosen: readonly string[];
  readonly leftOut: readonly string[];
  readonly touched: number;
}

function choice(ids: readonly string[], chosen: readonly string[], touched: number): Choice {
  return { chosen, leftOut: ids.filter((id) => !chosen.includes(id)), touched };
}

/** Of labs that are not known to hold: those touched, and a sample of the others. */
export function chooseToProve(ids: readonly string[]): Choice {
  const touched = touchedLabs(ids);
  const others = ids.filter((id) => !touched.includes(id));
  return choice(ids, [...touched, ...inTurn(others).slice(0, sampleSize)], touched.length);
}

/** Typing takes half a minute a lab: those touched, not too many, one of each part of the course, and one capstone. */
export function chooseToType(ids: readonly string[]): Choice {
  const wish = wishedLabs(ids);
  if (wish !== undefined) return choice(ids, wish, 0);
  const touched = inTurn(touchedLabs(ids)).slice(0, mostTyped);
  const capstones = ids.filter((id) => id.startsWith("capstone-"));
  const parts = readCurriculum().map(({ lessons }) => ids.filter((id) => lessons.some(({ slug }) => slug === id)));
  const ofParts = [...parts, capstones].flatMap((part) => inTurn(part).slice(0, 1));
  return choice(ids, [...new Set([...touched, ...ofParts])], touched.length);
}
