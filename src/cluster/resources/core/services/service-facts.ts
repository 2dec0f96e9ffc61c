// What follows from a Service's type: which of its fields mean something (pkg/api/service/util.go and the helpers of
// pkg/registry/core/service/strategy.go).

import type { ServiceSpec } from "#cluster/api/generated/types.ts";

/** Reached by node ports, a balancer or external addresses. */
export function isExternallyAccessible({ type, externalIPs = [] }: ServiceSpec): boolean {
  return type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && externalIPs.length > 0);
}

/** A balancer that sends only to nodes with endpoints asks them over a port of its own. */
export function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

export function needsNodePort({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Whether ports without a node port get one; those that name one get it in any case. */
export function allocatesNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type === "NodePort" || (type === "LoadBalancer" && allocateLoadBalancerNodePorts !== false);
}

export function isHeadless({ clusterIPs = [] }: ServiceSpec): boolean {
  return clusterIPs.length === 1 && clusterIPs[0] === "None";
}

/** Node ports in use, without 0. */
export function nodePortsOf({ ports = [] }: ServiceSpec): readonly number[] {
  return ports.flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));
}

export function sameList(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
