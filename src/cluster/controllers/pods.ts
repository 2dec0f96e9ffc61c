// What controllers ask about Pods.

import type { OwnerReference, Pod, PodCondition, PodTemplateSpec } from "#cluster/api/generated/types.ts";
import type { Draft, Stored } from "#cluster/api/objects.ts";
import { parseTime } from "#cluster/api/time.ts";

export function podPhase(pod: Stored<Pod>): string {
  return pod.status?.phase ?? "Pending";
}

/** Succeeded or Failed. */
export function isPodEnded(pod: Stored<Pod>): boolean {
  const phase = pod.status?.phase;
  return phase === "Succeeded" || phase === "Failed";
}

/** Counts as a replica: neither ended nor being deleted. */
export function isPodActive(pod: Stored<Pod>): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isPodEnded(pod);
}

/** Being deleted, and still able to run. */
export function isPodTerminating(pod: Stored<Pod>): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isPodEnded(pod);
}

export function podCondition(pod: Stored<Pod>, type: string): PodCondition | undefined {
  const conditions = pod.status?.conditions;
  if (conditions === undefined) return undefined;
  for (const condition of conditions) if (condition.type === type) return condition;
  return undefined;
}

export function isPodReady(pod: Stored<Pod>): boolean {
  return podCondition(pod, "Ready")?.status === "True";
}

/** When the Pod became ready, in milliseconds; undefined while it is not. */
export function readySinceMs(pod: Stored<Pod>): number | undefined {
  const ready = podCondition(pod, "Ready");
  if (ready?.status !== "True") return undefined;
  return ready.lastTransitionTime === undefined ? 0 : parseTime(ready.lastTransitionTime);
}

/**
 * Milliseconds until a Pod counts as available: 0 when it does, undefined while it is not ready.
 */
export function availableInMs(pod: Stored<Pod>, minReadySeconds: number, nowMs: number): number | undefined {
  if (minReadySeconds === 0) return isPodReady(pod) ? 0 : undefined;
  const since = readySinceMs(pod);
  return since === undefined ? undefined : Math.max(0, since + minReadySeconds * 1000 - nowMs);
}

/** The largest restart count of any container. */
export function maxRestarts(pod: Stored<Pod>): number {
  let restarts = 0;
  for (const status of pod.status?.containerStatuses ?? []) restarts = Math.max(restarts, status.restartCount);
  for (const status of pod.status?.initContainerStatuses ?? []) restarts = Math.max(restarts, status.restartCount);
  return restarts;
}

/** A Pod as a template describes it, controlled by `owner`. */
export function podFromTemplate(
  namespace: string,
  template: PodTemplateSpec,
  owner: OwnerReference,
  namePrefix: string,
): Draft<Pod> {
  const metadata = template.metadata ?? {};
  return {
    metadata: {
      generateName: namePrefix,
      namespace,
      ...(metadata.labels === undefined ? {} : { labels: metadata.labels }),
      ...(metadata.annotations === undefined ? {} : { annotations: metadata.annotations }),
      ...(metadata.finalizers === undefined ? {} : { finalizers: metadata.finalizers }),
      ownerReferences: [owner],
    },
    ...(template.spec === undefined ? {} : { spec: template.spec }),
  };
}
