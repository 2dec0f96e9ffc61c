// What a usual run takes in turn, because all of it would take too long: the same at the same commit, another part at another one.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";

/** Everything is proved, typed and looked at: `npm test -- --all`. */
export function takesAll(): boolean {
  return process.env["PILOTHOUSE_LABS"] === "all";
}

/** What git prints; nothing where it fails. */
export function git(...args: readonly string[]): string {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 });
  return status === 0 ? stdout : "";
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

/** A day's work: so long before a commit, what was committed counts as new with it. */
const dayHours = 3;

/** How many commits count as late ones: 20, or all of the same day's work. A merge is one. */
function lateCommits(commit: string): number {
  const seconds = Number(git("show", "--no-patch", "--format=%ct", commit).trim());
  const since = `--since=${seconds - dayHours * 3600}`;
  return Math.max(20, Number(git("rev-list", "--first-parent", "--count", since, commit).trim()));
}

/** The commit before the late ones; empty when all are late. */
function commitBefore(commit: string): string {
  return git("rev-list", "--first-parent", `--skip=${lateCommits(commit)}`, "-1", commit).trim();
}

/** The texts of files as they were before the late commits; empty for those that were not there. */
export function textsBefore(paths: readonly string[]): readonly string[] {
  const before = commitBefore(commitOfRun());
  return paths.map((path) => (before === "" ? "" : git("show", `${before}:${path}`)));
}

/** What a choice asks of the past. */
export interface History {
  changedLately(...where: readonly string[]): readonly string[];
  textsBefore(paths: readonly string[]): readonly string[];
}

/** Files changed here, not yet committed, or by late commits, whatever those changed. */
export function changedLately(...where: readonly string[]): readonly string[] {
  const commit = commitOfRun();
  const before = commitBefore(commit);
  const lately = before === "" ? commit : `${before}..${commit}`;
  const paths = [
    git("diff", "--name-only", commit, ...where),
    git("ls-files", "--others", "--exclude-standard", ...where),
    // A shallow clone's oldest commit brings all files: it is shown without any, as a first commit is.
    git("-c", "log.showRoot=false", "log", "--first-parent", "-m", "--name-only", "--format=", lately, ...where),
  ];
  return [...new Set(paths.join("\n").split("\n"))].filter((path) => path !== "");
}

/** The checkout's own. */
export const history: History = { changedLately, textsBefore };
