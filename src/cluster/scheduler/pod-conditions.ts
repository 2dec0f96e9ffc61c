// Conditions that the scheduler writes to Pods.

import type { Pod, PodCondition } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";

/** No node takes the Pod, or the scheduler itself failed (schedule_one.go: handleSchedulingFailure). */
export type FailureReason = "Unschedulable" | "SchedulerError";

/** PodScheduled=False with the text of the FailedScheduling event. */
export function podScheduledCondition(pod: Stored<Pod>, reason: FailureReason, message: string): PodCondition {
  const { generation } = pod.metadata;
  return {
    type: "PodScheduled",
    status: "False",
    reason,
    message,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
}

/** The Pod's conditions with this one set; the very same list when nothing changes. */
export function withCondition(pod: Stored<Pod>, condition: PodCondition, nowMs: number): readonly PodCondition[] {
  const conditions = pod.status?.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const current = conditions[index];
  if (current !== undefined && isSame(current, condition)) return conditions;
  const lastTransitionTime =
    current?.status === condition.status ? (current.lastTransitionTime ?? formatTime(nowMs)) : formatTime(nowMs);
  const made = { ...condition, lastTransitionTime };
  return index < 0 ? [...conditions, made] : conditions.with(index, made);
}

function isSame(a: PodCondition, b: PodCondition): boolean {
  return a.status === b.status && a.reason === b.reason && a.message === b.message && a.observedGeneration === b.observedGeneration;
}
