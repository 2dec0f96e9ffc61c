// What all expressions about one object may cost together (apiserver, pkg/apis/cel/config.go).

import { CelFault } from "./expression.ts";

/** Of the rules of a custom resource, of the expressions of one binding of a policy. */
export const objectBudget = 10_000_000;
/** Of the match conditions of one webhook or policy. */
export const conditionsBudget = 2_500_000;

export const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

/** Nothing is left: no further expression is run. */
export class CelBudgetFault extends CelFault {}

export class CostBudget {
  #left: number;
  #isSpent = false;

  constructor(cost: number) {
    this.#left = cost;
  }

  /** An expression cost more than there was. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Nothing is left for another. */
  get isEmpty(): boolean {
    return this.#left <= 0;
  }

  readonly spend = (cost: number): void => {
    if (cost > this.#left) this.#isSpent = true;
    else this.#left -= cost;
  };

  /** Ends with what is left whatever expressions are still to come. Throws CelBudgetFault. */
  check(): void {
    if (this.#isSpent) throw new CelBudgetFault(outOfBudget);
  }
}
