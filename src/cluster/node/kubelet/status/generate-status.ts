// The status of a pod from the kubelet's own parts.

import type { PodStatus } from "#cluster/api/generated/types.ts";
import type { KubeletParts } from "../parts.ts";
import type { StoredPod } from "../pod-spec.ts";
import { podStatus, type StatusRequest } from "./pod-status.ts";

export function generateStatus(parts: KubeletParts, pod: StoredPod, request: Omit<StatusRequest, "nowMs">): PodStatus {
  const { runtime, probes, hooks, startFailures, simulation } = parts;
  const facts = {
    nodeAddress: parts.nodeAddress,
    containersOf: (uid: string) => runtime.containersOf(uid),
    startFailure: (uid: string, name: string) => startFailures.get(`${uid}/${name}`),
    isStarted: probes.isStarted,
    isReady: probes.isReady,
    isInPostStart: hooks.isInPostStart,
    resizeConditions: (uid: string) => parts.allocations.conditionsOf(uid),
    readySandbox: (uid: string) => {
      const newest = runtime.sandboxesOf(uid)[0];
      return newest?.state === "ready" ? newest : undefined;
    },
  };
  return podStatus(pod, parts.statuses.get(pod), facts, { ...request, nowMs: simulation.nowMs });
}
