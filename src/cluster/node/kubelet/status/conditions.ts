// The conditions that the kubelet keeps on a Pod: what each says, when and in which words (POD-156 to POD-172).

import type { ContainerStatus, PodCondition } from "#cluster/api/generated/types.ts";
import type { Int64 } from "#cluster/api/wire.ts";
import { containersOf, goList, initContainersOf, isSidecar, type StoredPod } from "../pod-spec.ts";
import { allContainersRestarting, mayRestartAll } from "../restart-all.ts";

/** A condition without its times. */
export type Verdict = Pick<PodCondition, "type" | "status" | "reason" | "message">;

export interface PodFacts {
  readonly phase: string;
  readonly hasSandbox: boolean;
  /** Of sidecars and plain init containers. */
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  /** All containers are being ended and removed, to run again. */
  readonly isRemovingAll: boolean;
  /** All conditions of the Pod: readiness gates look at them. */
  readonly existing: readonly PodCondition[];
}

/** What nobody else is to write (pkg/kubelet/types: PodConditionsByKubelet). */
export const kubeletConditionTypes: ReadonlySet<string> = new Set([
  "PodReadyToStartContainers",
  "Initialized",
  "Ready",
  "ContainersReady",
  "PodScheduled",
  "PodResizePending",
  "PodResizeInProgress",
  allContainersRestarting,
]);

function statusOf(statuses: readonly ContainerStatus[], name: string): ContainerStatus | undefined {
  for (const status of statuses) if (status.name === name) return status;
  return undefined;
}

function complaint(kind: string, unknown: readonly string[], bad: readonly string[]): string {
  const parts: string[] = [];
  if (unknown.length > 0) parts.push(`containers with unknown status: ${goList(unknown)}`);
  if (bad.length > 0) parts.push(`containers with ${kind} status: ${goList(bad)}`);
  return parts.join(", ");
}

function initialized(pod: StoredPod, facts: PodFacts): Verdict {
  const type = "Initialized";
  const unknown: string[] = [];
  const incomplete: string[] = [];
  for (const container of initContainersOf(pod)) {
    const status = statusOf(facts.initStatuses, container.name);
    if (status === undefined) unknown.push(container.name);
    else if (!(isSidecar(container) ? status.started === true : status.ready)) incomplete.push(container.name);
  }
  if (facts.phase === "Succeeded" && unknown.length === 0) return { type, status: "True", reason: "PodCompleted" };
  const anyStarted = facts.statuses.some(
    (status) => status.state?.running ?? status.state?.terminated ?? status.lastState?.terminated,
  );
  const message = anyStarted ? "" : complaint("incomplete", unknown, incomplete);
  // Once initialized, always so: a restart of all containers runs the init containers again.
  const wasTrue = facts.existing.some((condition) => condition.type === type && condition.status === "True");
  if (message === "" || wasTrue) return { type, status: "True" };
  return { type, status: "False", reason: "ContainersNotInitialized", message };
}

function containersReady(pod: StoredPod, facts: PodFacts): Verdict {
  const type = "ContainersReady";
  const unknown: string[] = [];
  const unready: string[] = [];
  for (const container of initContainersOf(pod)) {
    if (!isSidecar(container)) continue;
    const status = statusOf(facts.initStatuses, container.name);
    if (status === undefined) unknown.push(container.name);
    else if (!status.ready) unready.push(container.name);
  }
  for (const container of containersOf(pod)) {
    const status = statusOf(facts.statuses, container.name);
    if (status === undefined) unknown.push(container.name);
    else if (!status.ready) unready.push(container.name);
  }
  if (facts.phase === "Succeeded" && unknown.length === 0) return { type, status: "False", reason: "PodCompleted" };
  if (facts.phase === "Failed") return { type, status: "False", reason: "PodFailed" };
  const message = complaint("unready", unknown, unready);
  return message === "" ? { type, status: "True" } : { type, status: "False", reason: "ContainersNotReady", message };
}

function ready(pod: StoredPod, facts: PodFacts, containers: Verdict): Verdict {
  if (containers.status !== "True") return { ...containers, type: "Ready" };
  const complaints: string[] = [];
  for (const { conditionType } of pod.spec?.readinessGates ?? []) {
    const condition = facts.existing.find((each) => each.type === conditionType);
    if (condition === undefined) {
      complaints.push(`corresponding condition of pod readiness gate "${conditionType}" does not exist.`);
    } else if (condition.status !== "True") {
      complaints.push(`the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`);
    }
  }
  if (complaints.length === 0) return { type: "Ready", status: "True" };
  return { type: "Ready", status: "False", reason: "ReadinessGatesNotReady", message: complaints.join(", ") };
}

function restartingAll({ phase, isRemovingAll }: PodFacts): Verdict {
  const type = allContainersRestarting;
  if (phase === "Succeeded") return { type, status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { type, status: "False", reason: "PodFailed" };
  if (!isRemovingAll) return { type, status: "False" };
  const message = "container exited with restart policy rule";
  return { type, status: "True", reason: "RestartAllContainersStarted", message };
}

/** In the order in which they stand in the status. */
export function conditionVerdicts(pod: StoredPod, facts: PodFacts): readonly Verdict[] {
  const containers = containersReady(pod, facts);
  return [
    { type: "PodReadyToStartContainers", status: facts.hasSandbox ? "True" : "False" },
    initialized(pod, facts),
    ready(pod, facts, containers),
    containers,
    { type: "PodScheduled", status: "True" },
    ...(mayRestartAll(pod) ? [restartingAll(facts)] : []),
  ];
}

/** Conditions with times: a time moves only when the status changes; conditions of others stay, those of a resize come as they are. */
export function mergeConditions(
  verdicts: readonly Verdict[],
  existing: readonly PodCondition[],
  observedGeneration: Int64 | undefined,
  now: string,
  resize: readonly PodCondition[],
): readonly PodCondition[] {
  const own = verdicts.map((verdict) => {
    const before = existing.find((condition) => condition.type === verdict.type);
    const unchanged = before?.status === verdict.status && before.lastTransitionTime !== undefined;
    const condition: { -readonly [field in keyof PodCondition]: PodCondition[field] } = {
      lastTransitionTime: unchanged ? before.lastTransitionTime : now,
    } as PodCondition;
    if (verdict.message !== undefined) condition.message = verdict.message;
    // The kubelet of 1.36 leaves it out of this one.
    if (observedGeneration !== undefined && verdict.type !== allContainersRestarting)
      condition.observedGeneration = observedGeneration;
    if (verdict.reason !== undefined) condition.reason = verdict.reason;
    condition.status = verdict.status;
    condition.type = verdict.type;
    return condition;
  });
  return existing.filter((condition) => !kubeletConditionTypes.has(condition.type)).concat(resize, own);
}
