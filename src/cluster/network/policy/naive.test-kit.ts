// NetworkPolicies once more, as the documentation of their API tells them, sentence by sentence and without any thought of speed: what the
// compiled ones are compared with.

import type {
  IPBlock,
  LabelSelector,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  Pod,
} from "#cluster/api/generated/types.ts";
import { inRange, parseCidr, parseIp } from "#cluster/api/ip-text.ts";
import type { Labels } from "#cluster/api/labels.ts";

export interface NaiveCluster {
  readonly policies: readonly NetworkPolicy[];
  readonly pods: readonly Pod[];
  /** Namespace → labels. */
  readonly namespaces: { readonly [name: string]: Labels };
}

export interface NaiveConnection {
  readonly source: string;
  readonly destination: string;
  readonly port: number;
  readonly protocol: "TCP" | "UDP" | "SCTP";
}

/** Both ends have their say: what the source may send to, and what the destination lets in. */
export function isAllowed(cluster: NaiveCluster, connection: NaiveConnection): boolean {
  const source = cluster.pods.find(({ status }) => status?.podIP === connection.source);
  const destination = cluster.pods.find(({ status }) => status?.podIP === connection.destination);
  if (source !== undefined && source === destination) return true;
  return mayLeave(cluster, source, destination, connection) && mayEnter(cluster, source, destination, connection);
}

function mayLeave(cluster: NaiveCluster, pod: Pod | undefined, other: Pod | undefined, connection: NaiveConnection): boolean {
  if (pod === undefined) return true;
  const isolating = applying(cluster, pod).filter(({ spec }) => spec?.policyTypes?.includes("Egress"));
  if (isolating.length === 0) return true;
  for (const { metadata, spec } of isolating) {
    for (const rule of spec?.egress ?? []) {
      const fitsPort = isEmpty(rule.ports) || rule.ports.some((port) => fits(port, other, connection));
      const fitsPeer =
        isEmpty(rule.to) || rule.to.some((peer) => isPeer(cluster, peer, metadata?.namespace, other, connection.destination));
      if (fitsPort && fitsPeer) return true;
    }
  }
  return false;
}

function mayEnter(cluster: NaiveCluster, other: Pod | undefined, pod: Pod | undefined, connection: NaiveConnection): boolean {
  if (pod === undefined) return true;
  const isolating = applying(cluster, pod).filter(({ spec }) => spec?.policyTypes?.includes("Ingress"));
  if (isolating.length === 0) return true;
  for (const { metadata, spec } of isolating) {
    for (const rule of spec?.ingress ?? []) {
      const fitsPort = isEmpty(rule.ports) || rule.ports.some((port) => fits(port, pod, connection));
      const fitsPeer =
        isEmpty(rule.from) || rule.from.some((peer) => isPeer(cluster, peer, metadata?.namespace, other, connection.source));
      if (fitsPort && fitsPeer) return true;
    }
  }
  return false;
}

function isEmpty(list: readonly unknown[] | undefined): list is undefined {
  return list === undefined || list.length === 0;
}

function applying({ policies }: NaiveCluster, pod: Pod): readonly NetworkPolicy[] {
  return policies.filter(
    ({ metadata, spec }) =>
      metadata?.namespace === pod.metadata?.namespace && isSelected(spec?.podSelector ?? {}, pod.metadata?.labels ?? {}),
  );
}

function fits({ protocol, port, endPort }: NetworkPolicyPort, owner: Pod | undefined, connection: NaiveConnection): boolean {
  if ((protocol ?? "TCP") !== connection.protocol) return false;
  if (port === undefined) return true;
  if (typeof port === "number") {
    for (let each = port; each <= (endPort ?? port); each += 1) if (each === connection.port) return true;
    return false;
  }
  for (const container of owner?.spec?.containers ?? [])
    for (const named of container.ports ?? [])
      if (named.name === port && named.protocol === connection.protocol && named.containerPort === connection.port) return true;
  return false;
}

function isPeer(
  { namespaces }: NaiveCluster,
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
  own: string | undefined,
  pod: Pod | undefined,
  address: string,
): boolean {
  if (ipBlock !== undefined) return isIn(ipBlock, address);
  if (pod === undefined) return false;
  const { namespace = "", labels = {} } = pod.metadata ?? {};
  if (namespaceSelector === undefined) return namespace === own && isSelected(podSelector ?? {}, labels);
  return isSelected(namespaceSelector, namespaces[namespace] ?? {}) && isSelected(podSelector ?? {}, labels);
}

function isIn({ cidr, except = [] }: IPBlock, address: string): boolean {
  const ip = parseIp(address);
  return [cidr, ...except].every((text, index) => {
    const range = parseCidr(text);
    if (ip === undefined || range === undefined) throw new Error(`no addresses: ${address}, ${text}`);
    return inRange(ip, range) === (index === 0);
  });
}

function isSelected({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels): boolean {
  for (const [key, value] of Object.entries(matchLabels)) if (labels[key] !== value) return false;
  for (const { key, operator, values = [] } of matchExpressions) {
    const value = labels[key];
    if (operator === "In" && (value === undefined || !values.includes(value))) return false;
    if (operator === "NotIn" && value !== undefined && values.includes(value)) return false;
    if (operator === "Exists" && value === undefined) return false;
    if (operator === "DoesNotExist" && value !== undefined) return false;
  }
  return true;
}
