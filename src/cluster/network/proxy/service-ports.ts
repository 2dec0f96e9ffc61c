// What kube-proxy reads from a Service: one entry a port.

import type { Service } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { servicePortHash } from "./chain-names.ts";

export interface ServicePort {
  /** `namespace/name`, or `namespace/name:port`: what comments call it, and what its chains' names are made from. */
  readonly name: string;
  readonly portName: string;
  readonly hash: string;
  readonly protocol: "tcp" | "udp" | "sctp";
  readonly clusterIp: string;
  readonly port: number;
  /** 0: none. */
  readonly nodePort: number;
  readonly externalIps: readonly string[];
  readonly loadBalancerIps: readonly string[];
  readonly loadBalancerSourceRanges: readonly string[];
  readonly isInternalLocal: boolean;
  readonly isExternalLocal: boolean;
  /** Seconds that a client stays with its endpoint; undefined without session affinity. */
  readonly affinitySeconds: number | undefined;
  /** 0: none. */
  readonly healthCheckNodePort: number;
}

/** Whatever their values: Services and slices with these labels are none of kube-proxy's (the selector of its informers). */
const othersLabels = ["service.kubernetes.io/service-proxy-name", "service.kubernetes.io/headless"];

export function isProxied({ metadata: { labels } }: Stored<object>): boolean {
  return labels === undefined || othersLabels.every((label) => labels[label] === undefined);
}

/** Headless and ExternalName Services, and those that are another's to look after, have none. */
export function servicePortsOf(service: Stored<Service>): readonly ServicePort[] {
  const { spec, metadata } = service;
  const clusterIp = spec?.clusterIP ?? "";
  if (spec === undefined || clusterIp === "" || clusterIp === "None" || spec.type === "ExternalName") return [];
  if (!isProxied(service)) return [];
  const isLoadBalancer = spec.type === "LoadBalancer";
  const ingress = isLoadBalancer ? (service.status?.loadBalancer?.ingress ?? []) : [];
  const base = {
    clusterIp,
    externalIps: ipv4(spec.externalIPs ?? []),
    // `ipMode: Proxy` means that the balancer itself delivers to the node: its address needs no rule here.
    loadBalancerIps: ipv4(ingress.flatMap(({ ip, ipMode }) => (ip === undefined || ipMode === "Proxy" ? [] : [ip]))),
    loadBalancerSourceRanges: isLoadBalancer ? ipv4(spec.loadBalancerSourceRanges ?? []) : [],
    isInternalLocal: spec.internalTrafficPolicy === "Local",
    isExternalLocal: spec.externalTrafficPolicy === "Local",
    affinitySeconds:
      spec.sessionAffinity === "ClientIP" ? (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 10_800) : undefined,
    healthCheckNodePort: spec.healthCheckNodePort ?? 0,
  };
  return (spec.ports ?? []).map((port) => {
    const portName = port.name ?? "";
    const protocol = asciiLowerCase(port.protocol ?? "TCP") as ServicePort["protocol"];
    const name = `${metadata.namespace}/${metadata.name}${portName === "" ? "" : `:${portName}`}`;
    return {
      ...base,
      name,
      portName,
      protocol,
      hash: servicePortHash(name, protocol),
      port: port.port,
      nodePort: port.nodePort ?? 0,
    };
  });
}

function ipv4(addresses: readonly string[]): readonly string[] {
  return addresses.filter((address) => !address.includes(":"));
}

export function isExternallyAccessible(port: ServicePort): boolean {
  return port.nodePort !== 0 || port.loadBalancerIps.length > 0 || port.externalIps.length > 0;
}

/** Cluster-wide endpoints are needed for external traffic even under policy Local: pods and the node itself use them. */
export function usesClusterEndpoints(port: ServicePort): boolean {
  return !port.isInternalLocal || isExternallyAccessible(port);
}

export function usesLocalEndpoints(port: ServicePort): boolean {
  return port.isInternalLocal || (port.isExternalLocal && isExternallyAccessible(port));
}
