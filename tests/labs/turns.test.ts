// Which changes count as late: the commits of a day's work, and at least twenty.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changedLately, textsBefore } from "../turns.ts";

const start = 1_767_225_600;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "turns-"));
  vi.stubEnv("GIT_DIR", join(folder, ".git"));
  vi.stubEnv("GIT_WORK_TREE", folder);
  git("init", "--quiet");
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function git(...args: readonly string[]): string {
  const named = ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args];
  return spawnSync("git", named, { cwd: folder, encoding: "utf8", env: process.env }).stdout.trim();
}

/** Commits of one file each, one behind the other. */
function commits(names: readonly string[], fromSeconds: number, everySeconds: number): void {
  for (const [index, name] of names.entries()) {
    writeFileSync(join(folder, name), name);
    vi.stubEnv("GIT_COMMITTER_DATE", `${start + fromSeconds + index * everySeconds} +0000`);
    git("add", name);
    git("commit", "--quiet", "-m", name);
  }
  vi.stubEnv("PILOTHOUSE_COMMIT", git("rev-parse", "HEAD"));
}

const numbered = (kind: string, count: number): readonly string[] => Array.from({ length: count }, (_, each) => `${kind}-${each}`);

describe("what changed lately", () => {
  it("is what the last twenty commits changed, and what is not committed", () => {
    commits(numbered("slow", 25), 0, 86_400);
    writeFileSync(join(folder, "open"), "");
    expect(changedLately().toSorted()).toEqual([...numbered("slow", 25).slice(5), "open"].toSorted());
  });

  it("is all of a day's work, however many commits it took", () => {
    commits(numbered("old", 25), 0, 86_400);
    commits(numbered("new", 30), 30 * 86_400, 120);
    expect(changedLately().toSorted()).toEqual([...numbered("new", 30)].toSorted());
  });

  it("has the texts that were there before it", () => {
    commits(numbered("old", 25), 0, 86_400);
    commits(["old-1", "new-0"], 30 * 86_400, 120);
    expect(textsBefore(["old-1", "new-0"])).toEqual(["old-1", ""]);
  });
});
