// Tells disruption budgets how many of their Pods may go (pkg/controller/disruption); the eviction API spends it.
// `disruption-pass.ts` is one look at a budget.

import type { Pod, PodDisruptionBudget } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { SelectorMatchers } from "#cluster/api/labels.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { once } from "#sim/late.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";

export const disruptionController: ControllerDefinition = {
  name: "disruption-controller",
  serviceAccount: "disruption-controller",
  eventSource: "controllermanager",
  create: (context) => new DisruptionController(context),
};

class DisruptionController implements Controller {
  readonly name = "disruption-controller";
  readonly watches = [
    watchRule<PodDisruptionBudget>({ resource: kinds.podDisruptionBudgets, keys: (budget) => [keyOf(budget)] }),
    watchRule<Pod>({ resource: kinds.pods, keys: (pod) => this.#budgetOf(pod) }),
  ];
  readonly #budgets: Informer<PodDisruptionBudget>;
  readonly #selectors = new SelectorMatchers();
  readonly #pass;

  constructor(context: ControllerContext) {
    this.#budgets = context.informers.informer(kinds.podDisruptionBudgets);
    this.#pass = once(() => new latePasses.code.DisruptionPass(context));
  }

  reconcile(key: string): Requeue | undefined {
    const budget = this.#budgets.get(key);
    return budget === undefined ? undefined : this.#pass().run(budget);
  }

  /** The first budget that selects a Pod: the eviction API refuses where there are several. */
  #budgetOf(pod: Stored<Pod>): readonly string[] {
    for (const budget of this.#budgets.listNamespace(pod.metadata.namespace ?? "")) {
      if (this.#selectors.of(budget.spec?.selector)(pod.metadata.labels)) return [keyOf(budget)];
    }
    return noKeys;
  }
}

const noKeys: readonly string[] = [];
