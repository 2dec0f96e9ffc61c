// pods/eviction: a delete that asks the pod's disruption budget first (registry/core/pod/storage/eviction.go).

import { type ApiError, badRequest, internalError, notFound, otherFailure } from "#cluster/api/errors.ts";
import type { Eviction, Pod, PodDisruptionBudget } from "#cluster/api/generated/types.ts";
import { matcherOf } from "#cluster/api/labels.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Typed } from "#cluster/resources/definition.ts";
import { carryManagers } from "../field-management.ts";
import { type Machinery, type ResourceRequest, storageKey, storedObject } from "../machinery.ts";
import { deleteObject } from "../verbs/delete.ts";

const budgetTable = "poddisruptionbudgets.policy";
const success: JsonValue = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };

/** Throws NotFound, TooManyRequests when the budget does not allow it. */
export function evictPod(machinery: Machinery, request: ResourceRequest, body: JsonValue): JsonValue {
  const eviction = body as Eviction;
  const name = eviction.metadata?.name ?? "";
  if (name !== "" && name !== request.name) throw badRequest("name in URL does not match name in Eviction object");
  const pod = storedObject(machinery, request) as (KubeObject & Typed<Pod>) | undefined;
  if (pod === undefined) throw notFound({ group: "", resource: "pods" }, request.name);
  const { preconditions, ...options } = eviction.deleteOptions ?? {};
  const deleteOptions = {
    ...(options.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: options.gracePeriodSeconds }),
    ...(preconditions?.uid === undefined ? {} : { uid: preconditions.uid }),
    ...(preconditions?.resourceVersion === undefined ? {} : { resourceVersion: preconditions.resourceVersion }),
  };
  const dryRun = request.dryRun || eviction.deleteOptions?.dryRun?.includes("All") === true;
  if (!mayIgnoreBudgets(pod)) spendBudget(machinery, pod, dryRun);
  deleteObject(machinery, { ...request, subresource: "", dryRun }, deleteOptions);
  return success;
}

/** Pods that do no work are no loss. */
function mayIgnoreBudgets(pod: Typed<Pod>): boolean {
  const phase = pod.status?.phase;
  return phase === "Succeeded" || phase === "Failed" || phase === "Pending" || pod.metadata.deletionTimestamp !== undefined;
}

function spendBudget(machinery: Machinery, pod: Typed<Pod>, dryRun: boolean): void {
  const table = machinery.store.table(budgetTable);
  const budgets = table.list(pod.metadata.namespace ?? "") as (KubeObject & Typed<PodDisruptionBudget>)[];
  const own = budgets.filter(
    (budget) => budget.spec?.selector !== undefined && matcherOf(budget.spec.selector)(pod.metadata.labels),
  );
  if (own.length > 1) {
    throw internalError("This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
  }
  const [budget] = own;
  if (budget === undefined) return;
  const ready = pod.status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") === true;
  if (!ready && mayEvictUnready(budget)) return;
  requireAllowed(budget);
  if (dryRun) return;
  const { status } = budget;
  const stored = machinery.store.put(table, storageKey(budget.metadata.namespace ?? "", budget.metadata.name as string), {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed: (status?.disruptionsAllowed ?? 0) - 1,
      disruptedPods: { ...status?.disruptedPods, [pod.metadata.name as string]: formatTime(machinery.simulation.nowMs) },
    },
  });
  carryManagers(stored, budget);
}

/** Unready pods may go when enough others are healthy, or when the policy says always. */
function mayEvictUnready(budget: Typed<PodDisruptionBudget>): boolean {
  if (budget.spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

function requireAllowed(budget: Typed<PodDisruptionBudget>): void {
  const { observedGeneration = 0, disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = budget.status ?? {};
  const name = budget.metadata.name ?? "";
  const generation = budget.metadata.generation ?? 0;
  if (observedGeneration < generation) {
    throw disruptionRefused(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (disruptionsAllowed > 0) return;
  throw disruptionRefused(
    `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
    undefined,
  );
}

function disruptionRefused(cause: string, retryAfterSeconds: number | undefined): ApiError {
  return otherFailure(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: "DisruptionBudget", message: cause }],
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
