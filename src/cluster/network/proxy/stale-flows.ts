// After each change of the rules: flows of datagrams to a Service that lead to none of its endpoints are forgotten
// (pkg/proxy/conntrack/cleanup.go). Where no endpoint serves, they stay.

import type { EndpointSlice, Service } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Conntrack } from "../netfilter/conntrack.ts";
import { endpointsOf } from "./endpoints.ts";
import { servicePortsOf } from "./service-ports.ts";

export function clearStaleFlows(
  conntrack: Conntrack,
  services: Iterable<Stored<Service>>,
  slicesOf: (service: Stored<Service>) => readonly Stored<EndpointSlice>[],
): void {
  const byAddress = new Map<string, ReadonlySet<string>>();
  const byNodePort = new Map<number, ReadonlySet<string>>();
  for (const service of services) {
    for (const port of servicePortsOf(service)) {
      if (port.protocol !== "udp") continue;
      const endpoints = endpointsOf(slicesOf(service), port.portName, "udp");
      const serving = new Set(endpoints.flatMap((endpoint) => (endpoint.serving ? [endpoint.address] : [])));
      if (serving.size === 0) continue;
      for (const address of [port.clusterIp, ...port.loadBalancerIps, ...port.externalIps])
        byAddress.set(`${address}:${port.port}`, serving);
      if (port.nodePort !== 0) byNodePort.set(port.nodePort, serving);
    }
  }
  for (const flow of conntrack.flows()) {
    const { destination, destinationPort } = flow.original;
    const wanted = [byAddress.get(`${destination}:${destinationPort}`), byNodePort.get(destinationPort)];
    if (wanted.some((serving) => serving?.has(flow.reply.source) === false)) conntrack.delete(flow);
  }
}
