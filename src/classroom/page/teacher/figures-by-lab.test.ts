import { expect, it } from "vitest";
import type { StepFigures } from "../../wire.ts";
import { figuresByLab } from "./figures-by-lab.ts";

const figure = (lab: string, step: string): StepFigures => {
  return { lab, step, reached: 1, passed: 0, medianMs: null, attempts: 0, hints: 0, leftAt: 0 };
};
const lesson = (slug: string) => ({ slug, place: `pods/${slug}`, title: slug, isCapstone: false });
const lab = (slug: string, steps: readonly string[]) => {
  return { title: slug, place: `pods/${slug}`, steps: steps.map((id) => ({ id, title: id, most: 10 })) };
};

it("figures stand in the order of the course, labs of no lesson last", () => {
  const outline = {
    parts: [{ slug: "pods", number: 1, title: "Pods", lessons: [lesson("first"), lesson("second")] }],
    labs: { first: lab("first", ["b", "a"]), second: lab("second", ["one"]) },
  };
  const figures = [
    figure("first", "a"),
    figure("first", "gone"),
    figure("first", "b"),
    figure("sandbox", "x"),
    figure("second", "one"),
  ];
  expect(figuresByLab(figures.reverse(), outline).map(([id, steps]) => [id, ...steps.map(({ step }) => step)])).toEqual([
    ["first", "b", "a", "gone"],
    ["second", "one"],
    ["sandbox", "x"],
  ]);
});
