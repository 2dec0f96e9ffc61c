// Which endpoints of a Service port a node uses: ready ones, else those that still serve while they terminate; near ones
// where hints say so; the node's own under policy Local.

import type { EndpointSlice } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { type ServicePort, usesClusterEndpoints, usesLocalEndpoints } from "./service-ports.ts";

export interface ProxyEndpoint {
  /** `address:port` */
  readonly text: string;
  readonly address: string;
  readonly port: number;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly nodeName: string | undefined;
  readonly zoneHints: readonly string[];
  readonly nodeHints: readonly string[];
}

export interface NodePlace {
  readonly nodeName: string;
  /** The node's InternalIP. */
  readonly address: string;
  readonly zone: string | undefined;
}

export interface UsableEndpoints {
  readonly cluster: readonly ProxyEndpoint[];
  readonly local: readonly ProxyEndpoint[];
  /** All that rules of this node may lead to, once each. */
  readonly reachable: readonly ProxyEndpoint[];
  /** Somewhere in the cluster there is one. */
  readonly hasAny: boolean;
}

/** Of a port, what external and internal traffic finds on a node. */
export function trafficOf(
  { isInternalLocal, isExternalLocal }: ServicePort,
  { hasAny, local }: UsableEndpoints,
): { readonly hasInternal: boolean; readonly hasExternal: boolean } {
  return {
    hasInternal: hasAny && (!isInternalLocal || local.length > 0),
    hasExternal: hasAny && (!isExternalLocal || local.length > 0),
  };
}

/** Endpoints of one port in all slices of its Service, by address. */
export function endpointsOf(
  slices: readonly Stored<EndpointSlice>[],
  portName: string,
  protocol: string,
): readonly ProxyEndpoint[] {
  const byText = new Map<string, ProxyEndpoint>();
  for (const slice of slices) {
    if (slice.addressType !== "IPv4") continue;
    const port = slice.ports?.find(
      (other) => (other.name ?? "") === portName && asciiLowerCase(other.protocol ?? "TCP") === protocol,
    );
    if (port?.port === undefined) continue;
    for (const endpoint of slice.endpoints ?? []) {
      const address = endpoint.addresses[0];
      if (address === undefined) continue;
      const ready = endpoint.conditions?.ready !== false;
      byText.set(`${address}:${port.port}`, {
        text: `${address}:${port.port}`,
        address,
        port: port.port,
        ready,
        serving: endpoint.conditions?.serving ?? ready,
        terminating: endpoint.conditions?.terminating === true,
        nodeName: endpoint.nodeName,
        zoneHints: endpoint.hints?.forZones?.map(({ name }) => name) ?? [],
        nodeHints: endpoint.hints?.forNodes?.map(({ name }) => name) ?? [],
      });
    }
  }
  return [...byText.values()].sort((a, b) => compareBytes(a.text, b.text));
}

export function usableEndpoints(all: readonly ProxyEndpoint[], port: ServicePort, place: NodePlace): UsableEndpoints {
  let cluster: readonly ProxyEndpoint[] = [];
  let hasAny = false;
  if (usesClusterEndpoints(port)) {
    const ready = all.filter((endpoint) => endpoint.ready);
    cluster = ready.length > 0 ? nearest(ready, place) : all.filter(isDraining);
    hasAny = cluster.length > 0;
  }
  if (!usesLocalEndpoints(port)) return { cluster, local: [], reachable: cluster, hasAny };
  const here = all.filter((endpoint) => endpoint.nodeName === place.nodeName);
  const localReady = here.filter((endpoint) => endpoint.ready);
  const local = localReady.length > 0 ? localReady : here.filter(isDraining);
  if (!hasAny) hasAny = all.some((endpoint) => endpoint.ready || isDraining(endpoint));
  const reachable = [...new Set([...cluster, ...local])].sort((a, b) => compareBytes(a.text, b.text));
  return { cluster, local, reachable, hasAny };
}

function isDraining(endpoint: ProxyEndpoint): boolean {
  return endpoint.serving && endpoint.terminating;
}

/** Hints count only when every endpoint has one and one of them fits. */
function nearest(ready: readonly ProxyEndpoint[], { nodeName, zone }: NodePlace): readonly ProxyEndpoint[] {
  if (ready.every((endpoint) => endpoint.nodeHints.length > 0)) {
    const onNode = ready.filter((endpoint) => endpoint.nodeHints.includes(nodeName));
    if (onNode.length > 0) return onNode;
  }
  if (zone !== undefined && ready.every((endpoint) => endpoint.zoneHints.length > 0)) {
    const inZone = ready.filter((endpoint) => endpoint.zoneHints.includes(zone));
    if (inZone.length > 0) return inZone;
  }
  return ready;
}
