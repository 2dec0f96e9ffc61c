// A network with an API server for tests: nodes with their pod ranges, Services, and EndpointSlices made by hand.

import type { EndpointHints, EndpointSlice, Service, ServiceSpec } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import type { Client } from "#cluster/client/client.ts";
import { decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import type { NetworkStack } from "#sim/net.ts";
import { Simulation } from "#sim/simulation.ts";
import { createClusterNetwork } from "./cluster-network.ts";

export const testStartMs = 1_767_225_600_000;

export function networkWorld(nodeNames: readonly string[] = ["node-1", "node-2"]) {
  const simulation = new Simulation({ startMs: testStartMs, seed: 1 });
  const server = new ApiServer({ simulation });
  server.start();
  const client: Client = server.clientFor({ name: "admin", groups: ["system:masters"] }, "test");
  const network = createClusterNetwork({ simulation });
  const nodes = nodeNames.map((name, index) => {
    const node = network.addNode(name, `172.18.0.${index + 2}`);
    node.podCidr = `10.244.${index}.0/24`;
    return node;
  });
  const node = (index: number) => nodes[index] as (typeof nodes)[number];
  return { simulation, server, client, network, nodes, node };
}

export function createService(client: Client, name: string, spec: ServiceSpec, namespace = "default"): Stored<Service> {
  ensureNamespace(client, namespace);
  return client.create(kinds.services, { metadata: { name, namespace }, spec });
}

export function ensureNamespace(client: Client, name: string): void {
  if (client.list(kinds.namespaces).items.every((item) => item.metadata.name !== name)) {
    client.create(kinds.namespaces, { metadata: { name } });
  }
}

export interface SliceEndpoint {
  readonly address: string;
  readonly nodeName?: string;
  readonly ready?: boolean;
  readonly serving?: boolean;
  readonly terminating?: boolean;
  readonly hostname?: string;
  readonly hints?: EndpointHints;
}

export function createSlice(
  client: Client,
  service: string,
  endpoints: readonly SliceEndpoint[],
  ports: EndpointSlice["ports"] = [{ name: "", port: 80, protocol: "TCP" }],
  namespace = "default",
): Stored<EndpointSlice> {
  return client.create(kinds.endpointSlices, {
    metadata: { name: `${service}-abcde`, namespace, labels: { "kubernetes.io/service-name": service } },
    addressType: "IPv4",
    endpoints: endpointsOf(endpoints),
    ports,
  });
}

export function endpointsOf(endpoints: readonly SliceEndpoint[]): EndpointSlice["endpoints"] & object {
  return endpoints.map(({ address, nodeName, ready, serving, terminating, hostname, hints }) => ({
    addresses: [address],
    conditions: { ready: ready ?? true, serving: serving ?? ready ?? true, terminating: terminating ?? false },
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(hostname === undefined ? {} : { hostname }),
    ...(hints === undefined ? {} : { hints }),
  }));
}

/** Serves HTTP that tells who answers, and whom it sees as its client. */
export function serveName(stack: NetworkStack, name: string, port = 80): void {
  stack.listen({
    port,
    onHttp: (_request, peer, responder) => responder.reply(200, {}, encodeUtf8(`${name} to ${peer.address.address}`)),
  });
}

/** The body of a reply, or the error, and the time that it took. */
export function fetchFrom(
  simulation: Simulation,
  stack: NetworkStack,
  address: string,
  port = 80,
  target = "/",
): { readonly text: string; readonly tookMs: number } {
  const startedMs = simulation.nowMs;
  let text: string | undefined;
  const request = { method: "GET", target, headers: {}, body: noBytes };
  stack.request({ address, port }, request, {}, (result) => {
    if (result.ok) text = decodeUtf8(result.exchange.body ?? noBytes);
    else text = typeof result.error === "string" ? result.error : result.error.tls;
  });
  simulation.runUntil(() => text !== undefined, { limitMs: 600_000 });
  return { text: text ?? "no answer", tookMs: simulation.nowMs - startedMs };
}
