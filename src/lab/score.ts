// What help costs. A step is worth ten points; each hint takes some, a solution most of them.

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

export function scoreOf(steps: readonly { readonly status: "open" | "passed"; readonly worth: number }[]): ScoreView {
  const passed = steps.filter(({ status }) => status === "passed");
  return { points: passed.reduce((sum, { worth }) => sum + worth, 0), most: steps.length * stepPoints };
}
