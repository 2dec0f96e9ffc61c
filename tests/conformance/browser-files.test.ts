// Which files of browser tests a usual run leaves out: in turn those whose subject did not change, and never one that every change may break.

import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { filesLeftOut } from "../e2e/files-in-turn.ts";
import type { History } from "../turns.ts";

const specs = readdirSync("tests/e2e").filter((name) => name.endsWith(".spec.ts"));
const always = ["accessibility", "lab", "labs", "learner", "lesson", "pages"].map((name) => `${name}.spec.ts`);
const isOfClassroom = (file: string): boolean => file.startsWith("classroom-");

// A run may be asked for all labs, and then takes all files: the choice is what is tested.
beforeEach(() => void vi.stubEnv("PILOTHOUSE_LABS", ""));
afterEach(() => vi.unstubAllEnvs());

function leftOutAt(commit: string, changedLately: History["changedLately"] = () => []): readonly string[] {
  vi.stubEnv("PILOTHOUSE_COMMIT", commit);
  return filesLeftOut({ changedLately });
}

describe("files of browser tests in their turn", () => {
  it("are all but those that every change may break; of a classroom's two are taken, of the others seven", () => {
    const leftOut = leftOutAt("a");
    expect(leftOut.filter((file) => !specs.includes(file) || always.includes(file))).toEqual([]);
    const inTurn = specs.filter((file) => !always.includes(file));
    const taken = inTurn.filter((file) => !leftOut.includes(file));
    expect([taken.filter(isOfClassroom).length, taken.length]).toEqual([2, 9]);
    expect(leftOutAt("a")).toEqual(leftOut);
  });

  it("all come at some commit", () => {
    const runs = Array.from({ length: 60 }, (_, run) => new Set(leftOutAt(`commit ${run}`)));
    expect(specs.filter((file) => runs.every((leftOut) => leftOut.has(file)))).toEqual([]);
    expect(specs.filter((file) => runs.some((leftOut) => leftOut.has(file))).length).toBe(specs.length - always.length);
  });

  it("are taken when their subject has changed, or they themselves", () => {
    const ofClassroom: History["changedLately"] = (...where) =>
      where.includes("src/classroom") ? ["src/classroom/README.md"] : [];
    expect(leftOutAt("a", ofClassroom).filter(isOfClassroom)).toEqual([]);
    expect(leftOutAt("a", ofClassroom).length).toBeGreaterThan(0);
    const [file = ""] = leftOutAt("a");
    const itself: History["changedLately"] = (...where) => (where.includes("tests/e2e") ? [`tests/e2e/${file}`] : []);
    expect(leftOutAt("a", itself)).not.toContain(file);
  });

  it("are none with --all", () => {
    vi.stubEnv("PILOTHOUSE_LABS", "all");
    expect(leftOutAt("a")).toEqual([]);
  });
});
