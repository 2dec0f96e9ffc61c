// What a NetworkPolicy must be (pkg/apis/networking/validation).

import type { IPBlock, NetworkPolicyPeer, NetworkPolicyPort, NetworkPolicySpec } from "#cluster/api/generated/types.ts";
import { inRange, parseCidr } from "#cluster/api/ip-text.ts";
import { portNameReasons, portNumberReasons } from "#cluster/api/names.ts";
import { validateLabelSelector } from "../core/selector-validation.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { validateLegacyCidr } from "./ip-rules.ts";

const protocols = ["TCP", "UDP", "SCTP"];
const policyTypes = ["Ingress", "Egress"];

export function validateNetworkPolicy(spec: NetworkPolicySpec | undefined, errors: FieldErrors): void {
  const path = field("spec");
  validateLabelSelector(spec?.podSelector, path.child("podSelector"), errors);
  for (const [index, { ports = [], from = [] }] of (spec?.ingress ?? []).entries()) {
    validateRule(ports, from, "from", path.child("ingress").index(index), errors);
  }
  for (const [index, { ports = [], to = [] }] of (spec?.egress ?? []).entries()) {
    validateRule(ports, to, "to", path.child("egress").index(index), errors);
  }
  const types = spec?.policyTypes ?? [];
  const typesPath = path.child("policyTypes");
  if (types.length > policyTypes.length) errors.invalid(typesPath, types, "may not specify more than two policyTypes");
  else {
    for (const [index, one] of types.entries()) {
      if (!policyTypes.includes(one)) errors.notSupported(typesPath.index(index), one, policyTypes);
    }
  }
}

function validateRule(
  ports: readonly NetworkPolicyPort[],
  peers: readonly NetworkPolicyPeer[],
  direction: "from" | "to",
  path: Path,
  errors: FieldErrors,
): void {
  for (const [index, port] of ports.entries()) validatePort(port, path.child("ports").index(index), errors);
  for (const [index, peer] of peers.entries()) validatePeer(peer, path.child(direction).index(index), errors);
}

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, path: Path, errors: FieldErrors): void {
  if (protocol !== undefined && !protocols.includes(protocol)) errors.notSupported(path.child("protocol"), protocol, protocols);
  const endPath = path.child("endPort");
  if (port === undefined) {
    if (endPort !== undefined) errors.invalid(endPath, endPort, "may not be specified when `port` is not specified");
  } else if (typeof port === "string") {
    if (endPort !== undefined) errors.invalid(endPath, endPort, "may not be specified when `port` is non-numeric");
    for (const reason of portNameReasons(port)) errors.invalid(path.child("port"), port, reason);
  } else {
    for (const reason of portNumberReasons(port)) errors.invalid(path.child("port"), port, reason);
    if (endPort === undefined) return;
    // Upstream names the port here, not the end.
    if (endPort < port) errors.invalid(endPath, port, "must be greater than or equal to `port`");
    for (const reason of portNumberReasons(endPort)) errors.invalid(endPath, endPort, reason);
  }
}

function validatePeer({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer, path: Path, errors: FieldErrors): void {
  validateLabelSelector(podSelector, path.child("podSelector"), errors);
  validateLabelSelector(namespaceSelector, path.child("namespaceSelector"), errors);
  if (ipBlock !== undefined) validateIpBlock(ipBlock, path.child("ipBlock"), errors);
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  if (!selects && ipBlock === undefined) errors.required(path, "must specify a peer");
  else if (selects && ipBlock !== undefined) errors.forbidden(path, "may not specify both ipBlock and another peer");
}

function validateIpBlock({ cidr = "", except = [] }: IPBlock, path: Path, errors: FieldErrors): void {
  if (cidr === "") {
    errors.required(path.child("cidr"));
    return;
  }
  validateLegacyCidr(cidr, path.child("cidr"), errors);
  const whole = parseCidr(cidr);
  if (whole === undefined) return;
  for (const [index, text] of except.entries()) {
    const at = path.child("except").index(index);
    validateLegacyCidr(text, at, errors);
    const part = parseCidr(text);
    if (part === undefined) continue;
    if (!inRange(part.address, whole) || whole.prefix >= part.prefix) errors.invalid(at, text, "must be a strict subset of `cidr`");
  }
}
