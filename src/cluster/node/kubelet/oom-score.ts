// Whom the kernel kills first when a node has no memory left (pkg/kubelet/qos/policy.go).

import type { Container, PodSpec } from "#cluster/api/generated/types.ts";
import { parseQuantity, quantityValue } from "#cluster/api/quantity.ts";
import { podRequests } from "#cluster/scheduler/resources.ts";
import { containersOf, initContainersOf, isSidecar, type StoredPod } from "./pod-spec.ts";
import { qosClassOf } from "./status/qos.ts";

const protectedAdjust = -997;
const firstAdjust = 1000;

/** oom_score_adj of a container's processes on a node with so much memory. */
export function oomScoreAdjust(pod: StoredPod, spec: Container, nodeMemoryBytes: number): number {
  if (pod.spec?.priorityClassName === "system-node-critical") return protectedAdjust;
  const qos = qosClassOf(pod);
  if (qos !== "Burstable") return qos === "Guaranteed" ? protectedAdjust : firstAdjust;
  const share = sharedRequest(pod);
  const of = (requestBytes: number): number => firstAdjust - Math.floor((firstAdjust * (requestBytes + share)) / nodeMemoryBytes);
  let adjust = of(requestOf(spec));
  // A sidecar goes no sooner than the app container that asked for least.
  if (isSidecar(spec) && initContainersOf(pod).includes(spec)) {
    adjust = Math.min(adjust, of(Math.min(...containersOf(pod).map(requestOf))));
  }
  // Above the guaranteed ones, and below those that asked for nothing.
  return Math.min(Math.max(adjust, firstAdjust + protectedAdjust), firstAdjust - 1);
}

function requestOf({ resources }: Container): number {
  const request = resources?.requests?.["memory"] ?? resources?.limits?.["memory"];
  return request === undefined ? 0 : quantityValue(parseQuantity(request));
}

/** Each container's part of what the Pod as a whole asks for beyond its containers. */
function sharedRequest(pod: StoredPod): number {
  const whole = pod.spec?.resources?.requests?.["memory"];
  if (whole === undefined) return 0;
  const { resources: _whole, overhead: _overhead, ...containersAlone } = pod.spec as PodSpec;
  const left = quantityValue(parseQuantity(whole)) - podRequests(containersAlone).memory;
  return Math.max(0, Math.floor(left / (containersOf(pod).length + initContainersOf(pod).length)));
}
