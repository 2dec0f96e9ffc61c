// What of the browser's tests a usual run takes.

import { describe, expect, it } from "vitest";
import { hasItsTurn, isAbout } from "../turns.ts";

describe("tests of the browser", () => {
  it.each([
    ["palette.spec.ts", "tests/e2e/palette.spec.ts", true],
    ["palette.spec.ts", "src/workbench/toolbar.tsx", true],
    ["palette.spec.ts", "src/classroom/server/main.ts", false],
    ["palette.spec.ts", "src/cluster/network/echo.ts", false],
    ["palette.spec.ts", "tests/e2e/picture.spec.ts", false],
    ["classroom-exam.spec.ts", "src/classroom/server/main.ts", true],
    ["classroom-exam.spec.ts", "tests/e2e/classroom.test-kit.ts", true],
    ["classroom-exam.spec.ts", "src/workbench/toolbar.tsx", false],
  ])("%s are taken whole after a change of %s: %s", (spec, path, whole) => {
    expect(isAbout(spec, ["README.md", path])).toBe(whole);
  });

  it("have their turn at every third commit or so, and all of them some time", () => {
    const ids = Array.from({ length: 300 }, (_, index) => `test ${index}`);
    const taken = ids.filter((id) => hasItsTurn(id, 3, "a"));
    expect(taken.length).toBeGreaterThan(70);
    expect(taken.length).toBeLessThan(130);
    expect(taken).toEqual(ids.filter((id) => hasItsTurn(id, 3, "a")));
    expect(
      ids.filter((id) => Array.from({ length: 30 }, (_, commit) => `${commit}`).some((commit) => hasItsTurn(id, 3, commit))),
    ).toEqual(ids);
  });
});
