// Whom the kernel kills first when a node has no memory left (pkg/kubelet/qos/policy.go).

import type { Container } from "#cluster/api/generated/types.ts";
import { parseQuantity, quantityValue } from "#cluster/api/quantity.ts";
import type { StoredPod } from "./pod-spec.ts";
import { qosClassOf } from "./status/qos.ts";

const protectedAdjust = -997;
const firstAdjust = 1000;

/** oom_score_adj of a container's processes on a node with so much memory. */
export function oomScoreAdjust(pod: StoredPod, spec: Container, nodeMemoryBytes: number): number {
  if (pod.spec?.priorityClassName === "system-node-critical") return protectedAdjust;
  const qos = qosClassOf(pod);
  if (qos !== "Burstable") return qos === "Guaranteed" ? protectedAdjust : firstAdjust;
  const request = spec.resources?.requests?.["memory"] ?? spec.resources?.limits?.["memory"];
  const requestBytes = request === undefined ? 0 : quantityValue(parseQuantity(request));
  const adjust = firstAdjust - Math.floor((firstAdjust * requestBytes) / nodeMemoryBytes);
  // Above the guaranteed ones, and below those that asked for nothing.
  return Math.min(Math.max(adjust, firstAdjust + protectedAdjust), firstAdjust - 1);
}
