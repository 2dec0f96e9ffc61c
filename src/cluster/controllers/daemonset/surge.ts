// DaemonSets whose nodes may have two Pods while these are replaced: no cluster begins with such a set.

import type { DaemonSet, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { availableInMs, isPodReady } from "../pods.ts";
import { revisionLabel } from "./daemon-pods.ts";
import type { UpdateStep } from "./rolling-update.ts";

/** A node's Pods of the new and of an older revision that are not being deleted. */
export interface SplitNode {
  readonly name: string;
  readonly fresh: Stored<Pod> | undefined;
  readonly old: Stored<Pod> | undefined;
}

export function planSurge(
  split: readonly SplitNode[],
  surge: number,
  isAvailable: (pod: Stored<Pod> | undefined) => boolean,
): UpdateStep {
  // With surge an old Pod goes when the new one beside it is available, or at once when it is not available itself.
  const remove = split.flatMap(({ fresh, old }) =>
    old !== undefined && (isAvailable(fresh) || (fresh === undefined && !isAvailable(old))) ? [old] : [],
  );
  const surging = split.filter(({ fresh, old }) => fresh !== undefined && old !== undefined && !isAvailable(fresh)).length;
  const waiting = split.filter(({ fresh, old }) => fresh === undefined && isAvailable(old)).map(({ name }) => name);
  return { create: waiting.slice(0, Math.max(0, surge - surging)), remove };
}

/** Of the Pods on one node of a set that may have two there, those that go (podsShouldBeOnNode). */
export function surplusOfSurge(
  set: Stored<DaemonSet>,
  running: readonly Stored<Pod>[],
  hash: string,
  nowMs: number,
): readonly Stored<Pod>[] {
  const isNew = (pod: Stored<Pod>): boolean => pod.metadata.labels?.[revisionLabel] === hash;
  const [fresh, old] = [running.find(isNew), running.find((pod) => !isNew(pod))];
  const others = running.filter((pod) => pod !== fresh && pod !== old);
  if (fresh === undefined || old === undefined) return others;
  const goes = !isPodReady(old) || availableInMs(fresh, set.spec?.minReadySeconds ?? 0, nowMs) === 0;
  return goes ? [...others, old] : others;
}
