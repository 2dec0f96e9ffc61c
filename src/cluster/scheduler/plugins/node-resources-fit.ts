import { sameValue } from "#cluster/client/equality.ts";
import { type FilterPreparation, maxNodeScore, type Plugin, type Rejection } from "../framework.ts";
import { lateHints } from "../late-hints.ts";
import type { NodeInfo } from "../node-info.ts";
import { isMoreOf, podRequests, type Resources, resourcesOf } from "../resources.ts";

const pluginName = "NodeResourcesFit";

/** Requests of all Pods of the node and of the new one must be within what is allocatable. */
export const nodeResourcesFit: Plugin = {
  name: pluginName,
  prepareFilter(pod) {
    const { requests } = pod;
    return fitFilter(requests);
  },
  /** LeastAllocated over cpu and memory, each with weight 1. */
  prepareScore(pod) {
    const { scored } = pod;
    const { milliCpu, memory } = scored;
    return {
      score(node) {
        const { fit } = node;
        if (fit.milliCpu === milliCpu && fit.memory === memory) return fit.score;
        fit.milliCpu = milliCpu;
        fit.memory = memory;
        fit.score = leastAllocated(node, scored);
        return fit.score;
      },
    };
  },
  mayHelp(event, pod) {
    switch (event.kind) {
      case "podRemoved":
        return true;
      case "podUpdated":
        return lateHints.code.asksForLess(event, pod);
      case "nodeAdded":
        return couldFit(podRequests(pod.spec ?? { containers: [] }), resourcesOf(event.node.status?.allocatable));
      case "nodeUpdated": {
        const now = event.node.status?.allocatable;
        const before = event.previous.status?.allocatable;
        if (sameValue(now, before)) return false;
        const requests = podRequests(pod.spec ?? { containers: [] });
        if (!couldFit(requests, resourcesOf(now))) return false;
        return (
          Number(now?.["pods"] ?? 0) > Number(before?.["pods"] ?? 0) || isMoreOf(requests, resourcesOf(now), resourcesOf(before))
        );
      }
      default:
        return false;
    }
  },
};

export function fitFilter(requests: Resources): FilterPreparation {
  return { kind: "filter", filter: (node) => (fits(requests, node) ? undefined : explain(requests, node)) };
}

function leastAllocated({ allocatable, scored }: NodeInfo, { milliCpu, memory }: Resources): number {
  let sum = 0;
  let weights = 0;
  if (allocatable.milliCpu > 0) {
    sum += shareLeft(scored.milliCpu + milliCpu, allocatable.milliCpu);
    weights += 1;
  }
  if (allocatable.memory > 0) {
    sum += shareLeft(scored.memory + memory, allocatable.memory);
    weights += 1;
  }
  return weights === 0 ? 0 : Math.floor(sum / weights);
}

function shareLeft(requested: number, allocatable: number): number {
  return requested > allocatable ? 0 : Math.floor(((allocatable - requested) * maxNodeScore) / allocatable);
}

function couldFit(requests: Resources, allocatable: Resources): boolean {
  if (requests.milliCpu > allocatable.milliCpu || requests.memory > allocatable.memory) return false;
  for (const [name, amount] of requests.scalars ?? []) if (amount > (allocatable.scalars?.get(name) ?? 0)) return false;
  return requests.ephemeralStorage <= allocatable.ephemeralStorage;
}

function fits(requests: Resources, node: NodeInfo): boolean {
  const { allocatable, requested } = node;
  if (node.podCount + 1 > node.allowedPods) return false;
  if (requests.milliCpu > 0 && requests.milliCpu > allocatable.milliCpu - requested.milliCpu) return false;
  if (requests.memory > 0 && requests.memory > allocatable.memory - requested.memory) return false;
  const storage = requests.ephemeralStorage;
  if (storage > 0 && storage > allocatable.ephemeralStorage - requested.ephemeralStorage) return false;
  if (requests.scalars === undefined) return true;
  for (const [name, amount] of requests.scalars) {
    if (amount > 0 && amount > (allocatable.scalars?.get(name) ?? 0) - (requested.scalars?.get(name) ?? 0)) return false;
  }
  return true;
}

/** All that is short; what exceeds the whole node no preemption cures. */
function explain(requests: Resources, node: NodeInfo): Rejection {
  const { allocatable, requested } = node;
  const reasons: string[] = [];
  let unresolvable = false;
  const check = (name: string, amount: number, total: number, used: number): void => {
    if (amount <= 0 || amount <= total - used) return;
    reasons.push(`Insufficient ${name}`);
    if (amount > total) unresolvable = true;
  };
  if (node.podCount + 1 > node.allowedPods) reasons.push("Too many pods");
  check("cpu", requests.milliCpu, allocatable.milliCpu, requested.milliCpu);
  check("memory", requests.memory, allocatable.memory, requested.memory);
  check("ephemeral-storage", requests.ephemeralStorage, allocatable.ephemeralStorage, requested.ephemeralStorage);
  for (const [name, amount] of requests.scalars ?? []) {
    check(name, amount, allocatable.scalars?.get(name) ?? 0, requested.scalars?.get(name) ?? 0);
  }
  return { plugin: pluginName, reasons, unresolvable };
}
