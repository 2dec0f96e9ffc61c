// The status of a Deployment, and whether its rollout moves (pkg/controller/deployment/progress.go, sync.go).

import { parseTime } from "#cluster/api/time.ts";
import { positive } from "../counts.ts";
import { type Conditions, findCondition, makeCondition, removeCondition, setCondition } from "./conditions.ts";
import { desiredReplicas, rollingLimits, sumActual, sumAvailable, sumDesired, sumReady, sumTerminating } from "./replica-sets.ts";
import type { Deployment, DeploymentStatus, ReplicaSet } from "./types.ts";

const noDeadline = 2_147_483_647;

/** Seconds a rollout may stand still, or undefined for ever. */
export function progressDeadlineSeconds(deployment: Deployment): number | undefined {
  const seconds = deployment.spec?.progressDeadlineSeconds;
  return seconds === undefined || seconds === noDeadline ? undefined : seconds;
}

/** What can be counted; conditions but Available are kept. */
export function countStatus(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
  nowMs: number,
): DeploymentStatus {
  const available = sumAvailable(sets);
  const minimum = desiredReplicas(deployment) - rollingLimits(deployment).maxUnavailable;
  const condition =
    available >= minimum
      ? makeCondition("Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability.", nowMs)
      : makeCondition("Available", "False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability.", nowMs);
  const conditions = setCondition(deployment.status?.conditions ?? [], condition);
  const counts = {
    observedGeneration: Number(deployment.metadata.generation ?? 0),
    replicas: sumActual(sets),
    updatedReplicas: newSet?.status?.replicas ?? 0,
    readyReplicas: sumReady(sets),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sumDesired(sets) - available),
    collisionCount: deployment.status?.collisionCount ?? 0,
  };
  return { ...positive(counts), terminatingReplicas: sumTerminating(sets), conditions };
}

export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const wanted = desiredReplicas(deployment);
  return (
    (status?.updatedReplicas ?? 0) === wanted &&
    (status?.replicas ?? 0) === wanted &&
    (status?.availableReplicas ?? 0) === wanted &&
    (status?.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

function hasProgressed(before: DeploymentStatus | undefined, after: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus | undefined): number => (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  return (
    (after.updatedReplicas ?? 0) > (before?.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before?.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before?.availableReplicas ?? 0)
  );
}

/** The counted status with the conditions of a running rollout. */
export function rolloutStatus(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
  nowMs: number,
): DeploymentStatus {
  const counted = countStatus(deployment, sets, newSet, nowMs);
  const progressed = progressConditions(deployment, counted, newSet, nowMs);
  const conditions = failureConditions(progressed, sets, newSet);
  return { ...counted, conditions };
}

function progressConditions(
  deployment: Deployment,
  status: DeploymentStatus,
  newSet: ReplicaSet | undefined,
  nowMs: number,
): Conditions {
  const conditions = status.conditions ?? [];
  const deadline = progressDeadlineSeconds(deployment);
  if (deadline === undefined) return removeCondition(conditions, "Progressing");
  const current = findCondition(deployment.status?.conditions, "Progressing");
  // A rollout that has completed never times out later.
  if ((status.replicas ?? 0) === (status.updatedReplicas ?? 0) && current?.reason === "NewReplicaSetAvailable") return conditions;
  const subject = newSet === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newSet.metadata.name}"`;
  if (isComplete(deployment, status)) {
    return setCondition(
      conditions,
      makeCondition("Progressing", "True", "NewReplicaSetAvailable", `${subject} has successfully progressed.`, nowMs),
    );
  }
  if (hasProgressed(deployment.status, status)) {
    const made = makeCondition("Progressing", "True", "ReplicaSetUpdated", `${subject} is progressing.`, nowMs);
    // Each step counts, also with the same reason: the deadline runs from the last one.
    const since = current?.status === "True" ? current.lastTransitionTime : undefined;
    return [...removeCondition(conditions, "Progressing"), since === undefined ? made : { ...made, lastTransitionTime: since }];
  }
  if (hasTimedOut(status, deadline, nowMs)) {
    return setCondition(
      conditions,
      makeCondition("Progressing", "False", "ProgressDeadlineExceeded", `${subject} has timed out progressing.`, nowMs),
    );
  }
  return conditions;
}

function hasTimedOut(status: DeploymentStatus, deadlineSeconds: number, nowMs: number): boolean {
  const condition = findCondition(status.conditions, "Progressing");
  if (condition === undefined || condition.reason === "NewReplicaSetAvailable") return false;
  if (condition.reason === "ProgressDeadlineExceeded") return true;
  return parseTime(condition.lastUpdateTime ?? "1970-01-01T00:00:00Z") + deadlineSeconds * 1000 < nowMs;
}

function failureConditions(conditions: Conditions, sets: readonly ReplicaSet[], newSet: ReplicaSet | undefined): Conditions {
  for (const set of newSet === undefined ? sets : [newSet, ...sets]) {
    const failure = set.status?.conditions?.find((condition) => condition.type === "ReplicaFailure");
    if (failure === undefined) continue;
    const time = failure.lastTransitionTime;
    return setCondition(conditions, { ...failure, ...(time === undefined ? {} : { lastUpdateTime: time }) });
  }
  return removeCondition(conditions, "ReplicaFailure");
}

/** Until a standing rollout has to be looked at again; undefined when there is nothing to wait for. */
export function untilDeadlineMs(deployment: Deployment, status: DeploymentStatus, nowMs: number): number | undefined {
  const deadline = progressDeadlineSeconds(deployment);
  const current = findCondition(status.conditions, "Progressing");
  if (deadline === undefined || current === undefined) return undefined;
  if (isComplete(deployment, status) || current.reason === "ProgressDeadlineExceeded") return undefined;
  const dueMs = parseTime(current.lastUpdateTime ?? "1970-01-01T00:00:00Z") + deadline * 1000;
  // A second more, so that the deadline has passed by then for certain.
  return Math.max(0, dueMs - nowMs) + 1000;
}
