// What help costs. A step is worth ten points; each hint takes some, a solution most of them. A capstone's task is worth what its author says.

const stepPoints = 10;
const hintCosts = [1, 2, 3] as const;
const pointsAfterSolution = 2;

export interface ScoreView {
  /** Of the steps that have passed. */
  readonly points: number;
  /** Of all steps without any help. */
  readonly most: number;
}

/** What the next hint takes when `shown` have been seen. */
export function hintCost(shown: number): number {
  return hintCosts[shown] ?? 0;
}

/** What a step is worth after the help that was asked for. */
export function worthOf(hintsShown: number, solutionShown: boolean): number {
  const costs = hintCosts.slice(0, hintsShown).reduce((sum: number, cost) => sum + cost, 0);
  return solutionShown ? pointsAfterSolution : stepPoints - costs;
}

/** What a step is worth without help. */
export function mostOf({ points = stepPoints }: { readonly points?: number | undefined }): number {
  return points;
}

interface ScoredStep {
  readonly status: "open" | "passed";
  readonly worth: number;
  readonly most: number;
}

export function scoreOf(steps: readonly ScoredStep[]): ScoreView {
  const passed = steps.filter(({ status }) => status === "passed");
  return { points: passed.reduce((sum, { worth }) => sum + worth, 0), most: steps.reduce((sum, { most }) => sum + most, 0) };
}
