// What a Service asks of the cloud's load balancers (the provider's part of cloudprovider.LoadBalancer).

import type { Node, Service } from "../../api/generated/types.ts";
import { keyOf, type Stored } from "../../api/objects.ts";
import { type Cloud, CloudError } from "../cloud.ts";
import type { BalancerWish } from "../load-balancer.ts";

/** "true": an address of the machines' own network. */
export const internalAnnotation = "service.sim.example/internal";
const proxyHealth = { port: 10_256, path: "/healthz" };
const ipv4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;

/** cloudprovider.DefaultLoadBalancerName */
export function balancerName({ metadata }: Stored<Service>): string {
  return `a${(metadata.uid ?? "").replaceAll("-", "")}`.slice(0, 32);
}

/** Throws CloudError for what this cloud's load balancers cannot do. */
export function balancerWish(cloud: Cloud, service: Stored<Service>, nodes: readonly Stored<Node>[]): BalancerWish {
  const { spec, metadata } = service;
  const {
    loadBalancerIP: address = "",
    externalTrafficPolicy,
    healthCheckNodePort = 0,
    loadBalancerSourceRanges = [],
  } = spec ?? {};
  if (address !== "" && !ipv4.test(address)) throw new CloudError(`address ${address} is no IPv4 address`);
  const ports = (spec?.ports ?? []).map(({ name = "", port, nodePort = 0, protocol = "TCP" }) => {
    const which = name === "" ? String(port) : `${name} (${port})`;
    if (protocol !== "TCP") throw new CloudError(`port ${which} is ${protocol}: load balancers of this cloud take TCP only`);
    if (nodePort === 0) throw new CloudError(`port ${which} has no node port: load balancers of this cloud send to node ports`);
    return { port, targetPort: nodePort };
  });
  return {
    label: keyOf(service),
    address: address === "" ? undefined : address,
    isInternal: metadata.annotations?.[internalAnnotation] === "true",
    ports,
    targets: nodes.flatMap((node) => cloud.machineOf(node.spec?.providerID ?? "")?.name ?? []),
    healthCheck:
      externalTrafficPolicy === "Local" && healthCheckNodePort !== 0
        ? { port: healthCheckNodePort, path: "/healthz" }
        : proxyHealth,
    sourceRanges: loadBalancerSourceRanges.filter((range) => !range.includes(":")),
    isSticky: spec?.sessionAffinity === "ClientIP",
  };
}
