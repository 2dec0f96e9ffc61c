// Services' rules, made once for all nodes on which they are the same: nearly all. A thousand nodes then share one set.

import type { EndpointSlice, Service } from "#cluster/api/generated/types.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { endpointsOf, type NodePlace, type ProxyEndpoint, usableEndpoints } from "./endpoints.ts";
import { type ServicePort, servicePortsOf } from "./service-ports.ts";
import { rulesOf, type ServiceRules } from "./service-rules.ts";

/** A Service port with its endpoints, those included that are not ready. */
interface PortEndpoints {
  readonly port: ServicePort;
  readonly endpoints: readonly ProxyEndpoint[];
}

export interface CachedService {
  /** Of the Service and its slices. */
  readonly version: string;
  readonly ports: readonly PortEndpoints[];
  /** By whether endpoints' rules have comments, with the node and its zone where those make a difference. */
  readonly byPlace: Map<string, readonly ServiceRules[]>;
}

export class RuleCache {
  readonly #entries = new Map<string, CachedService>();

  entryOf(service: Stored<Service>, slices: readonly Stored<EndpointSlice>[], clusterCidr: string): CachedService {
    const key = keyOf(service);
    const version = versionOf(service, slices, clusterCidr);
    let entry = this.#entries.get(key);
    if (entry?.version !== version) {
      const ports = servicePortsOf(service).map((port) => ({ port, endpoints: endpointsOf(slices, port.portName, port.protocol) }));
      entry = { version, ports, byPlace: new Map() };
      this.#entries.set(key, entry);
    }
    return entry;
  }

  /** One element a port. */
  rulesFor({ ports, byPlace }: CachedService, place: NodePlace, clusterCidr: string, commented: boolean): readonly ServiceRules[] {
    const common = byPlace.get(`${commented}`);
    if (common !== undefined) return common;
    const placeKey = `${commented} ${place.nodeName}/${place.zone ?? ""}`;
    const known = byPlace.get(placeKey);
    if (known !== undefined) return known;
    const depends = ports.some(({ port, endpoints }) => dependsOnPlace(port, endpoints));
    const rules = ports.map(({ port, endpoints }) =>
      rulesOf(port, usableEndpoints(endpoints, port, place), clusterCidr, commented),
    );
    byPlace.set(depends ? placeKey : `${commented}`, rules);
    return rules;
  }

  forget(serviceKey: string): void {
    this.#entries.delete(serviceKey);
  }
}

function dependsOnPlace(port: ServicePort, endpoints: readonly ProxyEndpoint[]): boolean {
  if (port.isInternalLocal || port.isExternalLocal) return true;
  return endpoints.some((endpoint) => endpoint.zoneHints.length > 0 || endpoint.nodeHints.length > 0);
}

function versionOf(service: Stored<Service>, slices: readonly Stored<EndpointSlice>[], clusterCidr: string): string {
  let version = `${clusterCidr} ${service.metadata.uid}/${service.metadata.resourceVersion}`;
  for (const { metadata } of slices) version += ` ${metadata.uid}/${metadata.resourceVersion}`;
  return version;
}
