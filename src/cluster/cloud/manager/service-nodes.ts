// Which Nodes are targets of load balancers, and which changes of Nodes and Services are the service controller's affair.

import type { Node, Service, ServicePort } from "../../api/generated/types.ts";
import type { Stored } from "../../api/objects.ts";
import { sameValue } from "../../client/equality.ts";

export const cleanupFinalizer = "service.kubernetes.io/load-balancer-cleanup";
const excludeLabel = "node.kubernetes.io/exclude-from-external-load-balancers";
const toBeDeletedTaint = "ToBeDeletedByClusterAutoscaler";

/** Another class is another's affair. */
export function wantsLoadBalancer({ spec }: Stored<Service>): boolean {
  return spec?.type === "LoadBalancer" && spec.loadBalancerClass === undefined;
}

/** Its load balancer is to go. */
export function needsCleanup({ metadata, spec }: Stored<Service>): boolean {
  if (metadata.finalizers?.includes(cleanupFinalizer) !== true) return false;
  return metadata.deletionTimestamp !== undefined || spec?.type !== "LoadBalancer";
}

export function needsUpdate(before: Stored<Service>, now: Stored<Service>): boolean {
  if (!wantsLoadBalancer(before) && !wantsLoadBalancer(now)) return false;
  return wantsLoadBalancer(before) !== wantsLoadBalancer(now) || !sameValue(readOf(before), readOf(now));
}

function readOf({ metadata, spec }: Stored<Service>): unknown {
  return {
    ranges: spec?.loadBalancerSourceRanges,
    ports: spec?.ports?.map(portOf),
    affinity: [spec?.sessionAffinity, spec?.sessionAffinityConfig],
    address: spec?.loadBalancerIP,
    externalIPs: spec?.externalIPs,
    annotations: metadata.annotations,
    uid: metadata.uid,
    traffic: [spec?.externalTrafficPolicy, spec?.healthCheckNodePort, spec?.ipFamilies?.length],
  };
}

function portOf({ name, protocol, port, nodePort, targetPort, appProtocol }: ServicePort): unknown {
  return [name, protocol, port, nodePort, targetPort, appProtocol];
}

function isIncluded({ metadata }: Stored<Node>): boolean {
  const text = metadata.labels?.[excludeLabel];
  return text === undefined || /^(?:0|f|F|false|False|FALSE)$/.test(text);
}

/** Cordoned Nodes, and those that are not Ready, are targets as well: health checks tell of these (stableNodeSetPredicates). */
export function isTarget(node: Stored<Node>): boolean {
  const { metadata, spec } = node;
  if (metadata.deletionTimestamp !== undefined || !isIncluded(node)) return false;
  return spec?.taints?.some(({ key }) => key === toBeDeletedTaint) !== true;
}

/** Whether load balancers are looked at because of a change (shouldSyncUpdatedNode). */
export function concernsTargets(before: Stored<Node>, now: Stored<Node>): boolean {
  return isIncluded(before) !== isIncluded(now) || before.spec?.providerID !== now.spec?.providerID;
}
