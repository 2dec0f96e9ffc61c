// A Pod's own DNS settings beside those of its policy, and how much of both fits (pkg/kubelet/network/dns/dns.go).

import type { PodDNSConfig } from "#cluster/api/generated/types.ts";
import { podLabel, type StoredPod } from "../pod-spec.ts";
import type { DnsWarnings, Resolver } from "./network-files.ts";

const maxNameservers = 3;
const maxSearches = 32;
/** Of all of them with a space between two, and of one. */
const maxSearchCharacters = 2048;
const maxNameLength = 253;

/** The policy's values stand first; an option of the Pod goes over the policy's of that name. */
export function merged(base: Resolver, { nameservers = [], searches = [], options = [] }: PodDNSConfig): Resolver {
  const values = new Map<string, string>();
  for (const option of base.options) {
    const [name = "", ...value] = option.split(":");
    values.set(name, value.join(":"));
  }
  for (const { name = "", value = "" } of options) values.set(name, value);
  return {
    nameservers: [...new Set([...base.nameservers, ...nameservers])],
    searches: [...new Set([...base.searches, ...searches])],
    options: [...values].map(([name, value]) => (value === "" ? name : `${name}:${value}`)),
  };
}

/** What resolvers take; they are told of nothing else. */
export function fitted({ nameservers, searches, options }: Resolver, pod: StoredPod, warnings: DnsWarnings | undefined): Resolver {
  const warn = (message: string): void => warnings?.warning(pod, "DNSConfigForming", message);
  const servers = nameservers.slice(0, maxNameservers);
  if (servers.length < nameservers.length)
    warn(
      `Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: ${servers.join(" ")}`,
    );
  const domains = searches.slice(0, maxSearches).filter((search) => search.length <= maxNameLength);
  while (domains.join(" ").length > maxSearchCharacters) domains.pop();
  if (domains.length < searches.length)
    warn(`Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${domains.join(" ")}`);
  return { nameservers: servers, searches: domains, options };
}

/** The kubelet knows no DNS of the cluster: Pods get the node's, and it is said of both. */
export function warnOfMissing(pod: StoredPod, nodeName: string, warnings: DnsWarnings | undefined): void {
  const message =
    'kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.';
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: nodeName, uid: nodeName } };
  warnings?.warning(node, "MissingClusterDNS", message);
  warnings?.warning(pod, "MissingClusterDNS", `pod: ${JSON.stringify(podLabel(pod))}. ${message}`);
}
