// What marks Nodes of a cloud: the names that kubelets and the cloud's controller manager have for it.

import type { Taint } from "../api/generated/types.ts";

/** A kubelet with an external cloud registers with it; the node controller takes it away. */
export const uninitializedTaint: Taint = {
  effect: "NoSchedule",
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
};

/** What a cloud knows of a machine for its Node. */
export interface CloudInstance {
  /** `sim:///zone-a/i-1f0c5a77` */
  readonly providerId: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly region: string;
}

/** Labels by which a Node is known, each with its older name. */
export function instanceLabels({ instanceType, zone, region }: CloudInstance): { readonly [key: string]: string } {
  return {
    "beta.kubernetes.io/instance-type": instanceType,
    "node.kubernetes.io/instance-type": instanceType,
    "failure-domain.beta.kubernetes.io/zone": zone,
    "topology.kubernetes.io/zone": zone,
    "failure-domain.beta.kubernetes.io/region": region,
    "topology.kubernetes.io/region": region,
  };
}
