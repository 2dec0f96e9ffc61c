// How a pod is named and resolves names: DNS policy and configuration, host names and aliases, ports on the host's network
// (pkg/apis/core/validation: validatePodDNSConfig, ValidateHostAliases, validatePodHostName, validatePodHostNetworkDeps).

import type { HostAlias, PodDNSConfig, PodSpec } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, dns1123SubdomainReasons, maxSubdomainLength, type Reasons, regexReason } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { validateBy } from "../selector-validation.ts";
import { validateIp } from "./pod-ip-validation.ts";

const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const maxNameservers = 3;
const maxSearches = 32;
const maxSearchCharacters = 2048;
const maxHostnameLength = 64;

export function validateDnsPolicy(policy: string, path: Path, errors: FieldErrors): void {
  if (policy === "") errors.required(path.child("dnsPolicy"));
  else if (!dnsPolicies.includes(policy)) errors.notSupported(path.child("dnsPolicy"), policy, dnsPolicies);
}

export function validateDnsConfig(config: PodDNSConfig | undefined, policy: string, path: Path, errors: FieldErrors): void {
  if (policy === "None") {
    if (config === undefined) {
      errors.required(path, "must provide `dnsConfig` when `dnsPolicy` is None");
      return;
    }
    if ((config.nameservers?.length ?? 0) === 0) {
      errors.required(path.child("nameservers"), "must provide at least one DNS nameserver when `dnsPolicy` is None");
      return;
    }
  }
  if (config === undefined) return;
  const { nameservers = [], searches = [], options = [] } = config;
  if (nameservers.length > maxNameservers) {
    errors.invalid(path.child("nameservers"), nameservers, `must not have more than ${maxNameservers} nameservers`);
  }
  for (const [index, server] of nameservers.entries()) validateIp(server, [], path.child("nameservers").index(index), errors);
  if (searches.length > maxSearches) {
    errors.invalid(path.child("searches"), searches, `must not have more than ${maxSearches} search paths`);
  }
  if (searches.join(" ").length > maxSearchCharacters) {
    const detail = `must not have more than ${maxSearchCharacters} characters (including spaces) in the search list`;
    errors.invalid(path.child("searches"), searches, detail);
  }
  for (const [index, search] of searches.entries()) {
    if (search === ".") continue;
    const name = search.endsWith(".") ? search.slice(0, -1) : search;
    validateBy(searchReasons, name, path.child("searches").index(index), errors);
  }
  for (const [index, option] of options.entries()) {
    if (!option.name) errors.required(path.child("options").index(index), "must not be empty");
  }
}

const searchLabel = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const searchName = `${searchLabel}(\\.${searchLabel})*`;
const searchRegex = new RegExp(`^(?:${searchName})$`);

/** A DNS subdomain that may have underscores, as `_sip._tcp.example.com`. */
function searchReasons(value: string): Reasons {
  const reasons: string[] = [];
  if (value.length > maxSubdomainLength) reasons.push(`must be no more than ${maxSubdomainLength} characters`);
  if (!searchRegex.test(value)) {
    const message =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
    reasons.push(regexReason(message, searchName, "example.com"));
  }
  return reasons;
}

export function validateHostAliases(aliases: readonly HostAlias[], path: Path, errors: FieldErrors): void {
  for (const [index, alias] of aliases.entries()) {
    const at = path.index(index);
    validateIp(alias.ip ?? "", [], at.child("ip"), errors);
    for (const [position, hostname] of (alias.hostnames ?? []).entries()) {
      validateBy(dns1123SubdomainReasons, hostname, at.child("hostnames").index(position), errors);
    }
  }
}

export function validateHostnameOverride(spec: PodSpec, path: Path, errors: FieldErrors): void {
  const { hostnameOverride } = spec;
  if (hostnameOverride === undefined) return;
  const at = path.child("hostnameOverride");
  if (spec.setHostnameAsFQDN === true) errors.forbidden(at, "may not be specified when setHostnameAsFQDN is true");
  if (spec.hostNetwork === true) errors.forbidden(at, "may not be specified when hostNetwork is true");
  if (hostnameOverride.length > maxHostnameLength) errors.tooLong(at, maxHostnameLength);
  validateBy(dns1123SubdomainReasons, hostnameOverride, at, errors);
}

export function validateHostnames({ hostname, subdomain }: PodSpec, path: Path, errors: FieldErrors): void {
  if (hostname) validateBy(dns1123LabelReasons, hostname, path.child("hostname"), errors);
  if (subdomain) validateBy(dns1123LabelReasons, subdomain, path.child("subdomain"), errors);
}

/** In a pod a port on the host's network is the container's; a template may leave it out. */
export function validateHostNetworkPorts(spec: PodSpec, isPod: boolean, path: Path, errors: FieldErrors): void {
  if (spec.hostNetwork !== true) return;
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [position, { containerPort, hostPort = 0 }] of (container.ports ?? []).entries()) {
      if ((!isPod && hostPort === 0) || hostPort === containerPort) continue;
      const at = path.child("containers").index(index).child("ports").index(position).child("hostPort");
      errors.invalid(at, hostPort, "must match `containerPort` when `hostNetwork` is true");
    }
  }
}
