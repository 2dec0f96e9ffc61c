// A class's figures in the order of the course and of each lab's steps.

import type { StepFigures } from "../../wire.ts";
import { type CourseOutline, lessonsOf } from "../outline.ts";

/** Labs that no lesson has come last. */
export function figuresByLab(
  figures: readonly StepFigures[],
  outline: CourseOutline,
): readonly (readonly [lab: string, steps: readonly StepFigures[]])[] {
  const places = lessonsOf(outline).map(({ place }) => place);
  const behind = (index: number): number => (index === -1 ? Number.MAX_SAFE_INTEGER : index);
  const placeOf = (lab: string): number => behind(places.indexOf(outline.labs[lab]?.place ?? ""));
  const stepOf = ({ lab, step }: StepFigures): number =>
    behind((outline.labs[lab]?.steps ?? []).findIndex(({ id }) => id === step));
  return [...Map.groupBy(figures, ({ lab }) => lab)]
    .sort(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
    .map(([lab, steps]) => [lab, steps.toSorted((a, b) => stepOf(a) - stepOf(b))] as const);
}
