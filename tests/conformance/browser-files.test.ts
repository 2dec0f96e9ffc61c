// Which files of browser tests a usual run leaves out: in turn those whose subject did not change, and never one that every change may break.

import { readdirSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { filesLeftOut } from "../e2e/files-in-turn.ts";
import { changedLately, takesAll } from "../turns.ts";

vi.mock("../turns.ts", async (importOriginal) => ({
  ...(await importOriginal<typeof import("../turns.ts")>()),
  changedLately: vi.fn(() => []),
  takesAll: vi.fn(() => false),
}));

const changed = vi.mocked(changedLately);
const specs = readdirSync("tests/e2e").filter((name) => name.endsWith(".spec.ts"));
const always = ["accessibility", "lab", "labs", "learner", "lesson", "pages"].map((name) => `${name}.spec.ts`);
const isOfClassroom = (file: string): boolean => file.startsWith("classroom-");

afterEach(() => {
  vi.unstubAllEnvs();
  changed.mockReset().mockReturnValue([]);
  vi.mocked(takesAll).mockReturnValue(false);
});

function leftOutAt(commit: string): readonly string[] {
  vi.stubEnv("PILOTHOUSE_COMMIT", commit);
  return filesLeftOut();
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
    changed.mockImplementation((...where: readonly string[]) =>
      where.includes("src/classroom") ? ["src/classroom/README.md"] : [],
    );
    expect(leftOutAt("a").filter(isOfClassroom)).toEqual([]);
    expect(leftOutAt("a").length).toBeGreaterThan(0);
    const [file = ""] = leftOutAt("a");
    changed.mockImplementation((...where: readonly string[]) => (where.includes("tests/e2e") ? [`tests/e2e/${file}`] : []));
    expect(leftOutAt("a")).not.toContain(file);
  });

  it("are none with --all", () => {
    vi.mocked(takesAll).mockReturnValue(true);
    expect(leftOutAt("a")).toEqual([]);
  });
});
