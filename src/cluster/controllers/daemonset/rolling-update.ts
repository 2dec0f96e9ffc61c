// Which daemon Pods a rolling update may replace now (pkg/controller/daemon/update.go).

import type { DaemonSet, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { IntOrString } from "#cluster/api/wire.ts";
import { latePasses } from "../late-passes.ts";
import { availableInMs } from "../pods.ts";
import { type NodeDecision, revisionLabel } from "./daemon-pods.ts";

/** A node with its decision and its Pods of this set, oldest first. */
export interface DaemonNode extends NodeDecision {
  readonly name: string;
  readonly pods: readonly Stored<Pod>[];
}

export interface UpdateStep {
  /** Nodes that get a new Pod beside the old one. */
  readonly create: readonly string[];
  readonly remove: readonly Stored<Pod>[];
}

/** Percentages of the nodes that should run the Pod round up. */
function resolve(value: IntOrString | undefined, total: number): number {
  if (value === undefined) return 0;
  return typeof value === "number" ? value : Math.ceil((Number.parseInt(value, 10) * total) / 100);
}

export function planUpdate(set: Stored<DaemonSet>, nodes: readonly DaemonNode[], hash: string, nowMs: number): UpdateStep {
  const running = nodes.filter(({ shouldRun }) => shouldRun);
  const { maxSurge, maxUnavailable } = set.spec?.updateStrategy?.rollingUpdate ?? { maxUnavailable: 1, maxSurge: 0 };
  const surge = resolve(maxSurge, running.length);
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  const isAvailable = (pod: Stored<Pod> | undefined): boolean =>
    pod !== undefined && availableInMs(pod, minReadySeconds, nowMs) === 0;
  const split = running.map(({ name, pods }) => {
    const alive = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
    const isNew = (pod: Stored<Pod>): boolean => pod.metadata.labels?.[revisionLabel] === hash;
    return { name, fresh: alive.find(isNew), old: alive.find((pod) => !isNew(pod)) };
  });
  if (surge === 0) {
    const allowed = Math.max(1, resolve(maxUnavailable, running.length));
    const unavailable = split.filter(({ fresh, old }) => !isAvailable(fresh) && !isAvailable(old)).length;
    const broken = split.flatMap(({ old }) => (old !== undefined && !isAvailable(old) ? [old] : []));
    const healthy = split.flatMap(({ old }) => (old !== undefined && isAvailable(old) ? [old] : []));
    return { create: [], remove: [...broken, ...healthy.slice(0, Math.max(0, allowed - unavailable))] };
  }
  return latePasses.code.planSurge(split, surge, isAvailable);
}
