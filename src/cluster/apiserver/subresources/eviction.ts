// pods/eviction: a delete that asks the pod's disruption budget first (registry/core/pod/storage/eviction.go).

import { type ApiError, badRequest, forbidden, notFound, otherFailure } from "#cluster/api/errors.ts";
import type { Condition, Eviction, Pod, PodCondition, PodDisruptionBudget } from "#cluster/api/generated/types.ts";
import { matcherOf } from "#cluster/api/labels.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { ResourceDefinition, Typed } from "#cluster/resources/definition.ts";
import { carryManagers, noteWrite } from "../field-management.ts";
import { type Machinery, storageKey, storedObject } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { deleteObject } from "../verbs/delete.ts";

const budgetTable = "poddisruptionbudgets.policy";
const podTable = "pods";
/** More evictions that nobody has confirmed are one too many. */
const maxDisruptedPods = 2000;
const success: JsonValue = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };

/** Throws NotFound, TooManyRequests when the budget does not allow it. */
export function evictPod(machinery: Machinery, request: ResourceRequest, body: JsonValue): JsonValue {
  const eviction = body as Eviction;
  const name = eviction.metadata?.name ?? "";
  if (name !== "" && name !== request.name) throw badRequest("name in URL does not match name in Eviction object");
  const pod = storedObject(machinery, request) as (KubeObject & Typed<Pod>) | undefined;
  if (pod === undefined) throw notFound({ group: "", resource: "pods" }, request.name);
  const { preconditions, ...options } = eviction.deleteOptions ?? {};
  const { uid, resourceVersion = pod.metadata.resourceVersion } = preconditions ?? {};
  // The mark is a write of our own: what the caller wants to be the latest is looked at before.
  const isCurrent = resourceVersion === pod.metadata.resourceVersion && (uid === undefined || uid === pod.metadata.uid);
  const deleteOptions = {
    ...(options.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: Number(options.gracePeriodSeconds) }),
    ...(uid === undefined ? {} : { uid }),
    ...(isCurrent || resourceVersion === undefined ? {} : { resourceVersion }),
  };
  const dryRun = request.dryRun || eviction.deleteOptions?.dryRun?.includes("All") === true;
  if (isCurrent && !mayIgnoreBudgets(pod)) spendBudget(machinery, pod, dryRun);
  if (isCurrent && !dryRun && !isEnded(pod)) markEvicted(machinery, request, pod);
  deleteObject(machinery, { ...request, subresource: "", dryRun }, deleteOptions);
  return success;
}

/** Pods that do no work are no loss. */
function mayIgnoreBudgets(pod: Typed<Pod>): boolean {
  return isEnded(pod) || pod.status?.phase === "Pending" || pod.metadata.deletionTimestamp !== undefined;
}

function isEnded(pod: Typed<Pod>): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** Says in the pod's status why it goes. */
function markEvicted(machinery: Machinery, request: ResourceRequest, pod: KubeObject & Typed<Pod>): void {
  const former = pod.status?.conditions?.find(({ type }) => type === "DisruptionTarget");
  const condition: PodCondition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
    lastTransitionTime:
      former?.status === "True" && former.lastTransitionTime ? former.lastTransitionTime : formatTime(machinery.simulation.nowMs),
  };
  const others = (pod.status?.conditions ?? []).filter((one) => one !== former);
  const marked = { ...pod, status: { ...pod.status, conditions: [...others, condition] } };
  const stored = machinery.store.put(machinery.store.table(podTable), storageKey(request.namespace, request.name), marked);
  carryManagers(stored, pod);
}

function spendBudget(machinery: Machinery, pod: Typed<Pod>, dryRun: boolean): void {
  const table = machinery.store.table(budgetTable);
  const { labels = {}, namespace = "", name: podName = "" } = pod.metadata;
  // A pod without labels is nobody's, though an empty selector would select it.
  if (Object.keys(labels).length === 0) return;
  const budgets = table.list(namespace) as (KubeObject & Typed<PodDisruptionBudget>)[];
  const own = budgets.filter((budget) => budget.spec?.selector !== undefined && matcherOf(budget.spec.selector)(labels));
  if (own.length > 1) {
    const message = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
    throw otherFailure(500, "", message);
  }
  const [budget] = own;
  if (budget === undefined) return;
  const ready = pod.status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") === true;
  if (!ready && mayEvictUnready(budget)) return;
  requireAllowed(budget);
  if (dryRun) return;
  const spent = spentStatus(budget, podName, formatTime(machinery.simulation.nowMs));
  const changed = { ...budget, status: spent };
  const stored = machinery.store.put(table, storageKey(namespace, budget.metadata.name as string), changed);
  const definition = machinery.registry.find("policy", "v1", "poddisruptionbudgets") as ResourceDefinition;
  const writer = { definition, subresource: "status", fieldManager: "kube-apiserver" };
  noteWrite(machinery, writer, budget, changed, stored);
}

/** One disruption less, noted for the disruption controller, which has not seen the pod go yet. */
function spentStatus(budget: Typed<PodDisruptionBudget>, podName: string, time: string): PodDisruptionBudget["status"] {
  const { status } = budget;
  const disruptionsAllowed = (status?.disruptionsAllowed ?? 0) - 1;
  const disruptedPods = { ...status?.disruptedPods, [podName]: time };
  const spent = { ...status, disruptionsAllowed, disruptedPods };
  if (disruptionsAllowed > 0) return spent;
  const former = status?.conditions?.find(({ type }) => type === "DisruptionAllowed");
  const condition: Condition = {
    type: "DisruptionAllowed",
    status: "False",
    observedGeneration: status?.observedGeneration ?? 0,
    lastTransitionTime: former?.status === "False" ? former.lastTransitionTime : time,
    reason: "InsufficientPods",
    message: "",
  };
  return { ...spent, conditions: [...(status?.conditions ?? []).filter((one) => one !== former), condition] };
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
  const subject = { group: "policy", resource: "poddisruptionbudget" };
  if (disruptionsAllowed < 0) throw forbidden(subject, name, "pdb disruptions allowed is negative");
  if (Object.keys(budget.status?.disruptedPods ?? {}).length > maxDisruptedPods) {
    const cause = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    throw forbidden(subject, name, cause);
  }
  if (disruptionsAllowed > 0) return;
  const failure = budget.status?.conditions?.find(({ type, reason }) => type === "DisruptionAllowed" && reason === "SyncFailed");
  if (failure !== undefined) {
    throw disruptionRefused(
      `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${failure.message}`,
      undefined,
    );
  }
  const cause =
    currentHealthy <= desiredHealthy
      ? `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
      : `does not allow evicting pods currently${whyNot(budget)}`;
  throw disruptionRefused(`The disruption budget ${name} ${cause}`, undefined);
}

function whyNot({ status }: Typed<PodDisruptionBudget>): string {
  const condition = status?.conditions?.find(({ type }) => type === "DisruptionAllowed");
  return condition?.status === "False" && condition.message ? ` (${condition.reason}): ${condition.message}` : "";
}

function disruptionRefused(cause: string, retryAfterSeconds: number | undefined): ApiError {
  return otherFailure(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: "DisruptionBudget", message: cause }],
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
