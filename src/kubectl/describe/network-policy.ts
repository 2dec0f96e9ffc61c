// NetworkPolicies in sentences, and the address ranges of Services.

import type { IPAddress, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort, ServiceCIDR } from "#cluster/api/generated/types.ts";
import { formatLabelSelector } from "#cluster/api/labels.ts";
import type { Description } from "./description.ts";
import { describeHead, withEvents, withoutEvents } from "./from-object.ts";
import { longTime } from "./when.ts";

interface Direction {
  /** `ingress` */
  readonly word: string;
  /** `From` */
  readonly side: string;
  /** `source` */
  readonly far: string;
  readonly rules: readonly { readonly ports: readonly NetworkPolicyPort[]; readonly peers: readonly NetworkPolicyPeer[] }[];
}

const indent = "    ";

export const describeNetworkPolicy = withoutEvents<NetworkPolicy>((out, policy) => {
  const { metadata, spec } = policy;
  out.field("Name", metadata.name);
  out.field("Namespace", metadata.namespace ?? "");
  out.field("Created on", metadata.creationTimestamp.replace("T", " ").replace("Z", " +0000 UTC"));
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.line("Spec:");
  const selector = formatLabelSelector(spec?.podSelector);
  const all = "<none> (Allowing the specific traffic to all pods in this namespace)";
  out.line(`PodSelector:     ${selector === "<none>" ? all : selector}`, 1);
  const types = spec?.policyTypes ?? [];
  const ingress = (spec?.ingress ?? []).map(({ ports = [], from = [] }) => ({ ports, peers: from }));
  const egress = (spec?.egress ?? []).map(({ ports = [], to = [] }) => ({ ports, peers: to }));
  if (types.includes("Ingress")) describeDirection(out, { word: "ingress", side: "From", far: "source", rules: ingress });
  else out.line("Not affecting ingress traffic", 1);
  if (types.includes("Egress")) describeDirection(out, { word: "egress", side: "To", far: "destination", rules: egress });
  else out.line("Not affecting egress traffic", 1);
  out.line(`Policy Types: ${types.join(", ")}`, 1);
});

function describeDirection(out: Description, { word, side, far, rules }: Direction): void {
  out.line(`Allowing ${word} traffic:`, 1);
  if (rules.length === 0) out.line(`${indent}<none> (Selected pods are isolated for ${word} connectivity)`);
  for (const [index, { ports, peers }] of rules.entries()) {
    if (ports.length === 0) out.line(`${indent}To Port: <any> (traffic allowed to all ports)`);
    for (const { port, endPort, protocol = "TCP" } of ports)
      out.line(
        endPort === undefined
          ? `${indent}To Port: ${port ?? "<nil>"}/${protocol}`
          : `${indent}To Port Range: ${port}-${endPort}/${protocol}`,
      );
    if (peers.length === 0) out.line(`${indent}${side}: <any> (traffic not restricted by ${far})`);
    for (const peer of peers) {
      out.line(`${indent}${side}:`);
      describePeer(out, peer);
    }
    if (index < rules.length - 1) out.line(`${indent}----------`);
  }
}

function describePeer(out: Description, { namespaceSelector, podSelector, ipBlock }: NetworkPolicyPeer): void {
  if (namespaceSelector !== undefined) out.line(`${indent}NamespaceSelector: ${formatLabelSelector(namespaceSelector)}`, 1);
  if (podSelector !== undefined) out.line(`${indent}PodSelector: ${formatLabelSelector(podSelector)}`, 1);
  if (namespaceSelector !== undefined || podSelector !== undefined || ipBlock === undefined) return;
  out.line(`${indent}IPBlock:`, 1);
  out.line(`${indent}CIDR: ${ipBlock.cidr}`, 2);
  out.line(`${indent}Except: ${(ipBlock.except ?? []).join(", ")}`, 2);
}

export const describeServiceCidr = withEvents<ServiceCIDR>((out, range) => {
  describeHead(out, range);
  out.field("CIDRs", (range.spec?.cidrs ?? []).join(", "));
  const conditions = range.status?.conditions ?? [];
  if (conditions.length === 0) return;
  for (const text of ["Status:", "Conditions:"]) out.line(text);
  out.line("Type\tStatus\tLastTransitionTime\tReason\tMessage", 1);
  out.line("----\t------\t------------------\t------\t-------", 1);
  for (const { type, status, lastTransitionTime, reason, message } of conditions)
    out.line(`${type}\t${status}\t${longTime(lastTransitionTime)}\t${reason}\t${message}`, 1);
});

export const describeIpAddress = withEvents<IPAddress>((out, address) => {
  describeHead(out, address);
  const parent = address.spec?.parentRef;
  if (parent === undefined) return;
  out.line("Parent Reference:");
  out.field("Group", parent.group ?? "", 1);
  out.field("Resource", parent.resource, 1);
  out.field("Namespace", parent.namespace ?? "", 1);
  out.field("Name", parent.name, 1);
});
