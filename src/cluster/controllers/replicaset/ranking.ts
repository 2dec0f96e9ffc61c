// Which Pods go first when a set shrinks: the first difference decides (ActivePodsWithRanks of pkg/controller).

import type { Pod } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { parseTime } from "#cluster/api/time.ts";
import { isPodReady, maxRestarts, podPhase, readySinceMs } from "../pods.ts";

const phaseOrder: { readonly [phase: string]: number } = { Pending: 0, Unknown: 1, Running: 2 };

interface Ranked {
  readonly pod: Stored<Pod>;
  readonly assigned: number;
  readonly phase: number;
  readonly ready: number;
  readonly cost: number;
  /** Related Pods on the same node. */
  readonly neighbours: number;
  readonly readyMs: number;
  readonly restarts: number;
  readonly createdMs: number;
}

/**
 * `pods` with those to delete first in front. `related` are the active Pods of all sets with the same owner: nodes that
 * hold many of them give up theirs earlier.
 */
export function rankForDeletion(
  pods: readonly Stored<Pod>[],
  related: Iterable<Stored<Pod>>,
  nowMs: number,
): readonly Stored<Pod>[] {
  const perNode = new Map<string, number>();
  for (const pod of related) {
    const node = pod.spec?.nodeName ?? "";
    perNode.set(node, (perNode.get(node) ?? 0) + 1);
  }
  return pods
    .map((pod) => rank(pod, perNode))
    .sort((a, b) => compare(a, b, nowMs))
    .map((ranked) => ranked.pod);
}

function rank(pod: Stored<Pod>, perNode: ReadonlyMap<string, number>): Ranked {
  const node = pod.spec?.nodeName ?? "";
  return {
    pod,
    assigned: node === "" ? 0 : 1,
    phase: phaseOrder[podPhase(pod)] ?? 0,
    ready: isPodReady(pod) ? 1 : 0,
    cost: deletionCost(pod),
    neighbours: perNode.get(node) ?? 0,
    readyMs: readySinceMs(pod) ?? 0,
    restarts: maxRestarts(pod),
    createdMs: parseTime(pod.metadata.creationTimestamp),
  };
}

function deletionCost(pod: Stored<Pod>): number {
  const text = pod.metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"];
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : 0;
}

function compare(a: Ranked, b: Ranked, nowMs: number): number {
  return (
    a.assigned - b.assigned ||
    a.phase - b.phase ||
    a.ready - b.ready ||
    a.cost - b.cost ||
    b.neighbours - a.neighbours ||
    compareAges(a, b, a.readyMs, b.readyMs, nowMs) ||
    b.restarts - a.restarts ||
    compareAges(a, b, a.createdMs, b.createdMs, nowMs)
  );
}

/** Younger first, but ages within the same power of two count as equal and the uid decides. */
function compareAges(a: Ranked, b: Ranked, aMs: number, bMs: number, nowMs: number): number {
  if (aMs === bMs) return 0;
  const difference = ageRank(nowMs - aMs) - ageRank(nowMs - bMs);
  if (difference !== 0) return difference;
  return compareBytes(a.pod.metadata.uid, b.pod.metadata.uid);
}

/** The binary logarithm of the age in nanoseconds, rounded down. */
function ageRank(ageMs: number): number {
  let rank = -1;
  for (let rest = ageMs * 1_000_000; rest >= 1; rest /= 2) rank += 1;
  return rank;
}
