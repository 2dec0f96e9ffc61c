// Conditions of a Deployment's status: setting one keeps what did not change.

import type { DeploymentCondition } from "#cluster/api/generated/types.ts";
import { formatTime } from "#cluster/api/time.ts";

export type Conditions = readonly DeploymentCondition[];

export function findCondition(conditions: Conditions | undefined, type: string): DeploymentCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function makeCondition(
  type: "Available" | "Progressing" | "ReplicaFailure",
  status: "True" | "False" | "Unknown",
  reason: string,
  message: string,
  nowMs: number,
): DeploymentCondition {
  const time = formatTime(nowMs);
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
}

/** Same status and reason: nothing changes. Same status: the transition time stays. The condition moves to the end. */
export function setCondition(conditions: Conditions, condition: DeploymentCondition): Conditions {
  const current = findCondition(conditions, condition.type);
  if (current !== undefined && current.status === condition.status && current.reason === condition.reason) return conditions;
  const lastTransitionTime = current?.status === condition.status ? current.lastTransitionTime : condition.lastTransitionTime;
  const made = lastTransitionTime === undefined ? condition : { ...condition, lastTransitionTime };
  return [...removeCondition(conditions, condition.type), made];
}

export function removeCondition(conditions: Conditions, type: string): Conditions {
  const kept = conditions.filter((condition) => condition.type !== type);
  return kept.length === conditions.length ? conditions : kept;
}
