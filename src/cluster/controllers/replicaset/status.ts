// The status of a set as counted from its Pods.

import type { ReplicaSetCondition, ReplicaSetStatus } from "#cluster/api/generated/types.ts";
import { matcherOfSet } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { positive } from "../counts.ts";
import { availableInMs } from "../pods.ts";
import type { LabelledPods } from "./owned-pods.ts";
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

export function activeCount(pods: readonly LabelledPods[]): number {
  let count = 0;
  for (const { active } of pods) count += active;
  return count;
}

interface Circumstances {
  /** Kinds of sets differ in whether their status tells it. */
  readonly countsTerminating: boolean;
  readonly failure: Failure | undefined;
  readonly nowMs: number;
}

export function countStatus(
  set: Stored<Replicated>,
  pods: readonly LabelledPods[],
  { countsTerminating, failure, nowMs }: Circumstances,
): CountedStatus {
  const labelled = matcherOfSet(set.spec?.template?.metadata?.labels ?? {});
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  let fullyLabeledReplicas = 0;
  let readyReplicas = 0;
  let availableReplicas = 0;
  let terminatingReplicas = 0;
  let nextAvailableMs: number | undefined;
  for (const group of pods) {
    if (group.active > 0 && labelled(group.labels)) fullyLabeledReplicas += group.active;
    readyReplicas += group.ready;
    terminatingReplicas += group.terminating;
    if (minReadySeconds === 0) {
      availableReplicas += group.ready;
      continue;
    }
    for (const pod of group.activePods(true)) {
      const inMs = availableInMs(pod, minReadySeconds, nowMs);
      if (inMs === 0) availableReplicas += 1;
      else if (inMs !== undefined) nextAvailableMs = Math.min(nextAvailableMs ?? inMs, inMs);
    }
  }
  const conditions = withFailure(set.status?.conditions ?? [], failure, nowMs);
  const status: ReplicaSetStatus = {
    replicas: activeCount(pods),
    ...positive({
      fullyLabeledReplicas,
      readyReplicas,
      availableReplicas,
      observedGeneration: Number(set.metadata.generation ?? 0),
    }),
    ...(countsTerminating ? { terminatingReplicas } : {}),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
  return { status, nextAvailableMs };
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
