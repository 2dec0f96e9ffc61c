// Which labs a run takes, and what makes a lab's proof stale.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readLabSources } from "../../src/server/lab-files.ts";
import { inTurn } from "../turns.ts";
import { chooseToProve, chooseToType, touchedLabs } from "./choice.ts";
import { loadedFiles, ProofMemory } from "./memory.ts";

const many = Array.from({ length: 199 }, (_, index) => `lab-${index}`);

// A run may be asked for all labs: the choice is what is tested.
beforeEach(() => void vi.stubEnv("PILOTHOUSE_LABS", ""));
afterEach(() => vi.unstubAllEnvs());

describe("the choice of labs", () => {
  it("takes all of a small course", () => {
    const { chosen, leftOut } = chooseToProve(many.slice(0, 12));
    expect([chosen.toSorted(), leftOut]).toEqual([many.slice(0, 12).toSorted(), []]);
  });

  it("takes twelve of a large one, other ones at another commit, and tells which are left out", () => {
    const { chosen, leftOut } = chooseToProve(many);
    expect([chosen.length, leftOut.length, new Set([...chosen, ...leftOut]).size]).toEqual([12, 187, 199]);
    expect(inTurn(many, "a")).toEqual(inTurn(many, "a"));
    expect(inTurn(many, "a").slice(0, 12)).not.toEqual(inTurn(many, "b").slice(0, 12));
    const seen = new Set(Array.from({ length: 120 }, (_, commit) => inTurn(many, `${commit}`).slice(0, 12)).flat());
    expect(seen.size).toBeGreaterThan(195);
  });

  it("types one lab of each part of the course besides those touched, of which four at most", () => {
    const ids = ["what-is-kubernetes", "cluster-components", "finalizers", "labels", "deployment-create"];
    const { chosen } = chooseToType(ids);
    const touched = touchedLabs(ids);
    expect(touched.filter((id) => chosen.includes(id)).length).toBeGreaterThanOrEqual(Math.min(touched.length, 4));
    for (const part of [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]) {
      expect(part.filter((id) => chosen.includes(id)).length).toBeGreaterThan(0);
    }
    expect(chosen.length).toBeLessThanOrEqual(touched.length + 3);
  });

  it("types what is wished for, or all", () => {
    vi.stubEnv("PILOTHOUSE_LABS", "lab-7,lab-9");
    expect(chooseToType(many).chosen).toEqual(["lab-7", "lab-9"]);
    vi.stubEnv("PILOTHOUSE_LABS", "all");
    expect(chooseToType(many).leftOut).toEqual([]);
    vi.stubEnv("PILOTHOUSE_LABS", "lab");
    expect(() => chooseToType(many)).toThrow("there is no lab lab; there are lab-0");
  });
});

describe("the memory of proofs", () => {
  it("knows every file that a proof loads, and none of the page", () => {
    const files = loadedFiles(["tests/labs/proof.ts", "src/world/tools.ts"]).map((path) => path.slice(process.cwd().length + 1));
    for (const path of [
      "src/sim/simulation.ts",
      "src/kubectl/kubectl.ts",
      "src/cluster/controllers/controller.ts",
      "src/lab/checks.ts",
    ]) {
      expect(files).toContain(path);
    }
    expect(files.filter((path) => /^src\/(workbench|pages|terminal)\/|\.test\.ts$/.test(path))).toEqual([]);
  });

  it("forgets a lab whose files change, and no other", () => {
    const memory = new ProofMemory();
    const sources = readLabSources();
    const changed = { ...sources, "labs/labels/lab.yaml": `${sources["labs/labels/lab.yaml"]}#` };
    expect(memory.keyOf(changed, "labels")).not.toBe(memory.keyOf(sources, "labels"));
    expect(memory.keyOf(changed, "finalizers")).toBe(memory.keyOf(sources, "finalizers"));
  });
});
