// Which of the labs touched lately need another proof.

import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { chooseToProve } from "./choice.ts";

const ids = ["labels", "finalizers", "annotations", ...Array.from({ length: 50 }, (_, index) => `lab-${index}`)];
const lesson = "content/lessons/fr/objects/labels.mdx";
const text = readFileSync(lesson, "utf8");

// A run may be asked for all labs: the choice is what is tested.
beforeEach(() => void vi.stubEnv("PILOTHOUSE_LABS", ""));
afterEach(() => vi.unstubAllEnvs());

function touched(paths: readonly string[], before: readonly string[] = []): number {
  return chooseToProve(ids, { changedLately: () => paths, textsBefore: () => before }).touched;
}

it("those of which more than words has changed", () => {
  expect(touched(["labs/labels/zh.yaml", "labs/README.md", lesson], [text.replaceAll("label", "étiquette "), ""])).toBe(1);
  expect(touched(["labs/labels/zh.yaml", "labs/README.md", lesson], [`${text}\nEncore une phrase.\n`])).toBe(0);
  expect(touched([lesson], [text.replace(/^kubectl .*$/m, "kubectl version")])).toBe(1);
  expect(touched([lesson], [""])).toBe(1);
  expect(touched(["labs/labels/lab.yaml", "labs/annotations/files/team.yaml", "labs/labels/fr.yaml"])).toBe(2);
});
