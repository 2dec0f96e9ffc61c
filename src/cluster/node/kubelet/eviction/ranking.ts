// Which Pod goes first when a node is low on something (pkg/kubelet/eviction/helpers.go: rankMemoryPressure and its like).

import { podRequests, type Resources } from "#cluster/scheduler/resources.ts";
import type { StoredPod } from "../pod-spec.ts";
import type { PodUsage } from "./pod-usage.ts";
import type { StarvedResource } from "./signals.ts";

interface Rank {
  readonly pod: StoredPod;
  readonly exceeds: boolean;
  readonly priority: number;
  /** Above the request. */
  readonly excess: number;
}

/** The first to go first. */
export function rankPods(
  pods: readonly StoredPod[],
  usageOf: (pod: StoredPod) => PodUsage,
  resource: StarvedResource,
): readonly StoredPod[] {
  const ranks = pods.map((pod) => rankOf(pod, usageOf(pod), resource));
  ranks.sort((a, b) => Number(b.exceeds) - Number(a.exceeds) || a.priority - b.priority || b.excess - a.excess);
  return ranks.map(({ pod }) => pod);
}

function rankOf(pod: StoredPod, usage: PodUsage, resource: StarvedResource): Rank {
  const priority = pod.spec?.priority ?? 0;
  // Nobody can ask for processes: priority alone comes before their number.
  if (resource === "pids") return { pod, exceeds: true, priority, excess: usage.processes };
  const requests = pod.spec === undefined ? undefined : podRequests(pod.spec);
  const used = usedOf(usage, resource);
  // The request of storage is taken from a number of inodes too, as upstream does; nobody can ask for inodes.
  return { pod, exceeds: used > requestOf(requests, resource), priority, excess: used - excessBase(requests, resource) };
}

function usedOf(usage: PodUsage, resource: StarvedResource): number {
  if (resource === "memory") return usage.memoryBytes;
  return resource === "inodes" ? usage.inodes : usage.diskBytes;
}

function requestOf(requests: Resources | undefined, resource: StarvedResource): number {
  return resource === "inodes" ? 0 : excessBase(requests, resource);
}

function excessBase(requests: Resources | undefined, resource: StarvedResource): number {
  return (resource === "memory" ? requests?.memory : requests?.ephemeralStorage) ?? 0;
}
