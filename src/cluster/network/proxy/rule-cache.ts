// Services' rules, made once for all nodes on which they are the same: nearly all. A thousand nodes then share one set.

import type { EndpointSlice, Service } from "#cluster/api/generated/types.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { endpointsOf, type NodePlace, type ProxyEndpoint, usableEndpoints } from "./endpoints.ts";
import { type ServicePort, servicePortsOf } from "./service-ports.ts";
import { type RuleOptions, rulesOf, type ServiceRules } from "./service-rules.ts";

interface Entry {
  /** Of the Service and its slices. */
  readonly version: string;
  /** Of all ports, ready or not. */
  endpointCount: number;
  /** "" for nodes to which it makes no difference, else the node and its zone. */
  readonly byPlace: Map<string, readonly ServiceRules[]>;
}

export class RuleCache {
  readonly #entries = new Map<string, Entry>();

  /** One element a port. */
  rulesFor(
    service: Stored<Service>,
    slices: readonly Stored<EndpointSlice>[],
    place: NodePlace,
    options: Omit<RuleOptions, "nodeAddress">,
  ): readonly ServiceRules[] {
    const key = keyOf(service);
    const version = versionOf(service, slices, options);
    let entry = this.#entries.get(key);
    if (entry?.version !== version) {
      entry = { version, endpointCount: 0, byPlace: new Map() };
      this.#entries.set(key, entry);
    }
    const common = entry.byPlace.get("");
    if (common !== undefined) return common;
    const placeKey = `${place.nodeName}/${place.zone ?? ""}`;
    const known = entry.byPlace.get(placeKey);
    if (known !== undefined) return known;
    let depends = false;
    let endpointCount = 0;
    const rules = servicePortsOf(service).map((port) => {
      const endpoints = endpointsOf(slices, port.portName, port.protocol);
      endpointCount += endpoints.length;
      depends ||= dependsOnPlace(port, endpoints);
      return rulesOf(port, usableEndpoints(endpoints, port, place), { ...options, nodeAddress: place.address });
    });
    entry.endpointCount = endpointCount;
    entry.byPlace.set(depends ? placeKey : "", rules);
    return rules;
  }

  /** Of a Service that it made rules for. */
  endpointCount(serviceKey: string): number {
    return this.#entries.get(serviceKey)?.endpointCount ?? 0;
  }

  forget(serviceKey: string): void {
    this.#entries.delete(serviceKey);
  }
}

function dependsOnPlace(port: ServicePort, endpoints: readonly ProxyEndpoint[]): boolean {
  if (port.isInternalLocal || port.isExternalLocal || port.loadBalancerSourceRanges.length > 0) return true;
  return endpoints.some((endpoint) => endpoint.zoneHints.length > 0 || endpoint.nodeHints.length > 0);
}

function versionOf(
  service: Stored<Service>,
  slices: readonly Stored<EndpointSlice>[],
  { podRange = "", masqueradeAll, isTerse }: Omit<RuleOptions, "nodeAddress">,
): string {
  let version = `${podRange} ${masqueradeAll} ${isTerse} ${service.metadata.uid}/${service.metadata.resourceVersion}`;
  for (const { metadata } of slices) version += ` ${metadata.uid}/${metadata.resourceVersion}`;
  return version;
}
