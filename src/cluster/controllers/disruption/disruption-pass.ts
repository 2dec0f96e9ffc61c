// One look at a disruption budget: how many of its Pods may go (pkg/controller/disruption).

import type { Condition, Pod, PodDisruptionBudget, PodDisruptionBudgetStatus } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { SelectorMatchers } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { goSelectorText } from "#cluster/api/selector-text.ts";
import { formatTime, parseTime } from "#cluster/api/time.ts";
import { sameValue } from "#cluster/client/equality.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { ControllerContext } from "../context.ts";
import type { Requeue } from "../controller.ts";
import { isPodReady } from "../pods.ts";
import { ExpectedPodCounter, type ExpectedPods, ScaleError } from "./expected-pods.ts";

/** An evicted Pod that is still there after this long counts again. */
const deletionTimeoutMs = 120_000;

export class DisruptionPass {
  readonly #context: ControllerContext;
  readonly #pods: Informer<Pod>;
  readonly #counter: ExpectedPodCounter;
  readonly #selectors = new SelectorMatchers();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#pods = context.informers.informer(kinds.pods);
    this.#counter = new ExpectedPodCounter(context.informers);
  }

  run(budget: Stored<PodDisruptionBudget>): Requeue | undefined {
    const { events, simulation } = this.#context;
    const matches = this.#selectors.of(budget.spec?.selector);
    const pods = [...this.#pods.listNamespace(budget.metadata.namespace ?? "")].filter((pod) => matches(pod.metadata.labels));
    if (pods.length === 0) events.normal(budget, "NoPods", "No matching pods found");
    let count: ExpectedPods;
    try {
      count = this.#counter.count(budget, pods);
    } catch (error) {
      if (!(error instanceof ScaleError)) throw error;
      events.warning(
        budget,
        "CalculateExpectedPodCountFailed",
        `Failed to calculate the number of expected pods: ${error.message}`,
      );
      this.#write(budget, failedStatus(budget, error.message, simulation.nowMs));
      return undefined;
    }
    if (count.unmanaged > 0) events.warning(budget, "UnmanagedPods", unmanagedText(budget));
    const { disrupted, recheckMs } = this.#stillDisrupted(budget, pods);
    const healthy = pods.filter(
      (pod) => pod.metadata.deletionTimestamp === undefined && disrupted[pod.metadata.name] === undefined && isPodReady(pod),
    );
    this.#write(budget, statusOf(budget, count, healthy.length, disrupted, simulation.nowMs));
    return recheckMs === undefined ? undefined : { requeueAfterMs: recheckMs, background: true };
  }

  /** Pods that were evicted, and whose deletion has not been seen yet. */
  #stillDisrupted(
    budget: Stored<PodDisruptionBudget>,
    pods: readonly Stored<Pod>[],
  ): { readonly disrupted: { readonly [name: string]: string }; readonly recheckMs: number | undefined } {
    const { events, simulation } = this.#context;
    const disrupted: { [name: string]: string } = {};
    let recheckMs: number | undefined;
    for (const pod of pods) {
      const time = budget.status?.disruptedPods?.[pod.metadata.name];
      if (time === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
      const leftMs = parseTime(time) + deletionTimeoutMs - simulation.nowMs;
      if (leftMs < 0) {
        const { namespace, name } = budget.metadata;
        events.warning(pod, "NotDeleted", `Pod was expected by PDB ${namespace}/${name} to be deleted but it wasn't`);
        continue;
      }
      disrupted[pod.metadata.name] = time;
      recheckMs = Math.min(recheckMs ?? leftMs, leftMs);
    }
    // One millisecond later it is over.
    return { disrupted, recheckMs: recheckMs === undefined ? undefined : recheckMs + 1 };
  }

  #write(budget: Stored<PodDisruptionBudget>, status: PodDisruptionBudgetStatus): void {
    if (sameValue(budget.status, status)) return;
    this.#context.client.updateStatus(kinds.podDisruptionBudgets, { ...budget, status });
  }
}

function statusOf(
  budget: Stored<PodDisruptionBudget>,
  { expected, desiredHealthy }: ExpectedPods,
  currentHealthy: number,
  disruptedPods: { readonly [name: string]: string },
  nowMs: number,
): PodDisruptionBudgetStatus {
  // A budget without Pods allows nothing: the first ones are safe before it has been worked out anew.
  const disruptionsAllowed = expected <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const observedGeneration = budget.metadata.generation ?? 0;
  const allowed = disruptionsAllowed > 0;
  return {
    observedGeneration,
    ...(Object.keys(disruptedPods).length === 0 ? {} : { disruptedPods }),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods: expected,
    conditions: withCondition(budget, {
      type: "DisruptionAllowed",
      status: allowed ? "True" : "False",
      observedGeneration,
      lastTransitionTime: formatTime(nowMs),
      reason: allowed ? "SufficientPods" : "InsufficientPods",
      message: "",
    }),
  };
}

/** Nothing may go while nobody knows how much may. */
function failedStatus(budget: Stored<PodDisruptionBudget>, message: string, nowMs: number): PodDisruptionBudgetStatus {
  const { observedGeneration, ...status } = budget.status ?? {};
  return {
    ...status,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    disruptionsAllowed: 0,
    conditions: withCondition(budget, {
      type: "DisruptionAllowed",
      status: "False",
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
      lastTransitionTime: formatTime(nowMs),
      reason: "SyncFailed",
      message,
    }),
  };
}

/** The budget's conditions with one renewed; its time changes with its status only. */
function withCondition(budget: Stored<PodDisruptionBudget>, condition: Condition): readonly Condition[] {
  const conditions = budget.status?.conditions ?? [];
  const former = conditions.find(({ type }) => type === condition.type);
  if (former === undefined) return [...conditions, condition];
  const { lastTransitionTime } = former.status === condition.status ? former : condition;
  return conditions.map((one) => (one === former ? { ...condition, lastTransitionTime } : one));
}

function unmanagedText(budget: Stored<PodDisruptionBudget>): string {
  const selector = goSelectorText(budget.spec?.selector ?? {});
  return `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
}
