// The status of a set as counted from its Pods.

import type { ReplicaSetCondition, ReplicaSetStatus } from "#cluster/api/generated/types.ts";
import { matcherOfSet, rememberingLast } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { availableInMs } from "../pods.ts";
import type { OwnedPod } from "./owned-pods.ts";
import type { Replicated } from "./replica-kind.ts";

export interface Failure {
  readonly reason: "FailedCreate" | "FailedDelete";
  readonly message: string;
}

export interface CountedStatus {
  readonly status: ReplicaSetStatus;
  /** Until the next Pod counts as available; undefined when none is waited for. */
  readonly nextAvailableMs: number | undefined;
}

/** `terminating` is undefined for kinds whose status does not tell it. */
export function countStatus(
  set: Stored<Replicated>,
  active: readonly OwnedPod[],
  terminating: number | undefined,
  failure: Failure | undefined,
  nowMs: number,
): CountedStatus {
  const labelled = rememberingLast(matcherOfSet(set.spec?.template?.metadata?.labels ?? {}));
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  let fullyLabeledReplicas = 0;
  let readyReplicas = 0;
  let availableReplicas = 0;
  let nextAvailableMs: number | undefined;
  for (const { pod, labels, isReady } of active) {
    if (labelled(labels)) fullyLabeledReplicas += 1;
    if (!isReady) continue;
    readyReplicas += 1;
    const inMs = minReadySeconds === 0 ? 0 : availableInMs(pod, minReadySeconds, nowMs);
    if (inMs === undefined) continue;
    if (inMs === 0) availableReplicas += 1;
    else nextAvailableMs = Math.min(nextAvailableMs ?? inMs, inMs);
  }
  const conditions = withFailure(set.status?.conditions ?? [], failure, nowMs);
  const status: ReplicaSetStatus = {
    replicas: active.length,
    ...positive({ fullyLabeledReplicas, readyReplicas, availableReplicas, observedGeneration: set.metadata.generation ?? 0 }),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
  return { status, nextAvailableMs };
}

/** Counts that are 0 are left out, as the API writes them. */
export function positive<T extends { readonly [field: string]: number }>(counts: T): Partial<T> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) as Partial<T>;
}

function withFailure(
  conditions: readonly ReplicaSetCondition[],
  failure: Failure | undefined,
  nowMs: number,
): readonly ReplicaSetCondition[] {
  const known = conditions.find((condition) => condition.type === "ReplicaFailure");
  if (failure === undefined) return known === undefined ? conditions : conditions.filter((condition) => condition !== known);
  if (known !== undefined) return conditions;
  const condition = { type: "ReplicaFailure", status: "True", lastTransitionTime: formatTime(nowMs), ...failure };
  return [...conditions, condition];
}
