// Where the `proxy` subresources of pods, services and nodes lead to: an address and a port in the cluster's network, as the
// storage of each kind finds it (ResourceLocation in kubernetes' registry/core).

import { badRequest, notFound, otherFailure } from "#cluster/api/errors.ts";
import type { EndpointAddress, Endpoints, Node, Pod, Service } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Endpoint } from "#sim/net.ts";
import type { HttpCall } from "../http/call.ts";
import { storageKey, tableOf } from "../machinery.ts";

export interface ProxyTarget extends Endpoint {
  readonly secure: boolean;
}

interface ProxyName {
  readonly scheme: string;
  readonly name: string;
  /** A number, a name, or "". */
  readonly port: string;
}

const kubeletPort = 10250;

/** `name`, `name:port` or `scheme:name:port`. Throws 400. */
function splitName(id: string, kind: string): ProxyName {
  const parts = id.split(":");
  const [scheme = "", name = "", port = ""] = parts.length === 3 ? parts : ["", ...parts];
  if (parts.length > 3 || name === "" || !["", "http", "https"].includes(scheme)) {
    throw badRequest(`invalid ${kind} request ${JSON.stringify(id)}`);
  }
  return { scheme, name, port };
}

/** Throws NotFound, 400, and 503 for a service that nothing stands behind. */
export function proxyTarget(call: HttpCall, plural: string): ProxyTarget {
  const { name } = call.info;
  if (plural === "services") return serviceTarget(call, splitName(name, "service"));
  if (plural === "nodes") return nodeTarget(call, splitName(name, "node"));
  return podTarget(call, splitName(name, "pod"));
}

function stored(call: HttpCall, plural: string, name: string): KubeObject | undefined {
  const { machinery } = call.server.pipeline;
  const definition = machinery.registry.find("", "v1", plural);
  if (definition === undefined) return undefined;
  return tableOf(machinery, definition).get(storageKey(definition.namespaced ? call.info.namespace : "", name));
}

function required(call: HttpCall, plural: string, name: string): KubeObject {
  const object = stored(call, plural, name);
  if (object === undefined) throw notFound({ group: "", resource: plural }, name);
  return object;
}

function podTarget(call: HttpCall, { scheme, name, port }: ProxyName): ProxyTarget {
  const pod = required(call, "pods", name) as Pod;
  const declared = pod.spec?.containers.find(({ ports = [] }) => ports.length > 0)?.ports?.[0]?.containerPort;
  const address = pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP ?? "";
  if (address === "") throw badRequest("address not allowed");
  const secure = scheme === "https";
  return { address, port: portNumber(port) ?? declared ?? (secure ? 443 : 80), secure };
}

function portNumber(port: string): number | undefined {
  if (port === "") return undefined;
  if (!/^\d+$/.test(port)) throw unavailable(`error trying to reach service: dial tcp: lookup tcp/${port}: unknown port`);
  return Number(port);
}

function serviceTarget(call: HttpCall, { scheme, name, port }: ProxyName): ProxyTarget {
  const portName = /^\d+$/.test(port) ? declaredPortName(call, name, Number(port)) : port;
  const { subsets = [] } = required(call, "endpoints", name) as Endpoints;
  if (subsets.length === 0) throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  const candidates = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports
      .filter((each) => (each.name ?? "") === portName)
      .flatMap(({ port }) => addresses.filter((each) => isPod(call, each)).map(({ ip }) => ({ ip, port }))),
  );
  if (candidates.length === 0) throw unavailable(`no endpoints available for service ${JSON.stringify(call.info.name)}`);
  const chosen = candidates[call.server.random.below(candidates.length)] as (typeof candidates)[number];
  return { address: chosen.ip, port: chosen.port, secure: scheme === "https" };
}

/** Whoever writes endpoints does not lead the API server to addresses that are no Pod's of the namespace (isValidAddress). */
function isPod(call: HttpCall, { ip, targetRef }: EndpointAddress): boolean {
  if (targetRef?.namespace !== call.info.namespace) return false;
  const pod = stored(call, "pods", targetRef.name ?? "") as Pod | undefined;
  return pod?.status?.podIPs?.some((each) => each.ip === ip) ?? false;
}

/** The endpoints know ports by the names that the service gives them. */
function declaredPortName(call: HttpCall, name: string, port: number): string {
  const { ports = [] } = (required(call, "services", name) as Service).spec ?? {};
  const declared = ports.find((each) => each.port === port);
  if (declared === undefined) throw unavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
  return declared.name ?? "";
}

function nodeTarget(call: HttpCall, { scheme, name, port }: ProxyName): ProxyTarget {
  const { addresses = [], daemonEndpoints } = (required(call, "nodes", name) as Node).status ?? {};
  const address = addresses.find(({ type }) => type === "InternalIP")?.address ?? "";
  if (address === "") throw badRequest("address not allowed");
  const own = daemonEndpoints?.kubeletEndpoint?.Port || kubeletPort;
  const wanted = portNumber(port);
  return { address, port: wanted ?? own, secure: wanted === undefined || wanted === own ? true : scheme === "https" };
}

export function unavailable(message: string): Error {
  return otherFailure(503, "ServiceUnavailable", message);
}
