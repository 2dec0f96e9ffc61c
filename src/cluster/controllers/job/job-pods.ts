// What the Job controller asks about Pods and does to them: their finalizer, their index, whether and when they ended.

import type { Job, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type Stored, splitKey } from "#cluster/api/objects.ts";
import { parseTime } from "#cluster/api/time.ts";
import type { Client } from "#cluster/client/client.ts";
import { isReason } from "#cluster/client/retry.ts";
import { podCondition, podPhase } from "../pods.ts";

export const trackingFinalizer = "batch.kubernetes.io/job-tracking";
export const indexKey = "batch.kubernetes.io/job-completion-index";
export const indexFailures = "batch.kubernetes.io/job-index-failure-count";
export const indexIgnoredFailures = "batch.kubernetes.io/job-index-ignored-failure-count";

export function isTracked(pod: Stored<Pod>): boolean {
  return pod.metadata.finalizers?.includes(trackingFinalizer) === true;
}

/** Takes the finalizer away: nobody counts the Pod any more. */
export function releasePod(client: Client, key: string): void {
  const patch = { metadata: { "$deleteFromPrimitiveList/finalizers": [trackingFinalizer] } };
  try {
    client.patch(kinds.pods, splitKey(key), "strategic", patch);
  } catch (error) {
    if (!isReason(error, "NotFound")) throw error;
  }
}

export function isIndexed(job: Job): boolean {
  return job.spec?.completionMode === "Indexed";
}

/** Undefined for a Pod without a readable index. */
export function completionIndex(pod: Stored<Pod>): number | undefined {
  const text = pod.metadata.annotations?.[indexKey];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Whether Pods are replaced only once they have ended. */
export function replacesEndedOnly({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === "Failed" || spec?.podFailurePolicy !== undefined;
}

/** A Pod that is being deleted counts as failed, unless the Job waits for its end. */
export function isFailed(pod: Stored<Pod>, job: Job): boolean {
  const phase = podPhase(pod);
  if (phase === "Failed") return true;
  if (replacesEndedOnly(job)) return false;
  return pod.metadata.deletionTimestamp !== undefined && phase !== "Succeeded";
}

/** The end of the last container; without one the best guess that the object allows. */
export function finishedMs(pod: Stored<Pod>): number {
  const { metadata, status } = pod;
  const sidecars = new Set(
    (pod.spec?.initContainers ?? []).filter((one) => one.restartPolicy === "Always").map(({ name }) => name),
  );
  const statuses = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  const ends = statuses.map(({ state }) => state?.terminated?.finishedAt);
  if (ends.length > 0 && ends.every((end) => end !== undefined)) return Math.max(...ends.map((end) => parseTime(end as string)));
  const ready = podCondition(pod, "Ready");
  if (ready?.status === "False" && ready.lastTransitionTime !== undefined) return parseTime(ready.lastTransitionTime);
  if (metadata.deletionTimestamp !== undefined)
    return parseTime(metadata.deletionTimestamp) - Number(metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  return parseTime(metadata.creationTimestamp);
}

/** Failures of an index before this Pod, as its annotations carry them on. */
export function earlierFailures(pod: Stored<Pod>, key: typeof indexFailures | typeof indexIgnoredFailures): number {
  const text = pod.metadata.annotations?.[key];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : 0;
}
