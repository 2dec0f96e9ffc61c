// /etc/hosts, /etc/hostname and /etc/resolv.conf of a pod's containers.

import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import { latePodDns } from "../late-pod-dns.ts";
import { domainOf, hostnameOf, isHostNetwork, type StoredPod } from "../pod-spec.ts";

export interface DnsSettings {
  /** None: Pods get the node's. */
  readonly clusterDns: readonly string[];
  readonly clusterDomain: string;
  /** The node's own /etc/resolv.conf, or another file that the kubelet is told; undefined: none (`resolvConf: ""`). */
  readonly nodeResolvConf: string | undefined;
  /** The node's own /etc/hosts. */
  readonly nodeHosts: () => string;
  readonly nodeName: string;
}

/** Hears of settings that could not be followed. */
export type DnsWarnings = Pick<EventRecorder, "warning">;

export interface Resolver {
  readonly nameservers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

/** What Pods with the node's settings get when the node has none: nothing is looked up. */
const nowhere: Resolver = { nameservers: ["127.0.0.1"], searches: ["."], options: [] };

const loopbackLines =
  "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\nfe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n";

export function parseResolvConf(text: string): Resolver {
  const nameservers: string[] = [];
  let searches: readonly string[] = [];
  let options: readonly string[] = [];
  for (const line of text.split("\n")) {
    const [keyword, ...values] = line.trim().split(/\s+/);
    if (keyword === "nameserver" && values[0] !== undefined) nameservers.push(values[0]);
    else if (keyword === "search") searches = values.map((domain) => domain.replace(/(.)\.$/, "$1"));
    else if (keyword === "options") options = values;
  }
  return { nameservers, searches, options };
}

/** The last text that was read, for all Pods of a node share it. */
let lastRead = { text: "", resolver: parseResolvConf("") };

function nodeResolver({ nodeResolvConf: text = "" }: DnsSettings): Resolver {
  if (lastRead.text !== text) lastRead = { text, resolver: parseResolvConf(text) };
  return lastRead.resolver;
}

function policyResolver(pod: StoredPod, settings: DnsSettings, warnings: DnsWarnings | undefined): Resolver {
  const node = nodeResolver(settings);
  const policy = pod.spec?.dnsPolicy ?? "ClusterFirst";
  if (policy === "None") return { nameservers: [], searches: [], options: [] };
  const asNode = settings.nodeResolvConf === undefined ? nowhere : node;
  if (policy === "Default" || (policy === "ClusterFirst" && isHostNetwork(pod))) return asNode;
  const { clusterDns, clusterDomain: domain, nodeName } = settings;
  if (clusterDns.length === 0) {
    latePodDns.code.warnOfMissing(pod, nodeName, warnings);
    return asNode;
  }
  const own = domain === "" ? [] : [`${pod.metadata.namespace}.svc.${domain}`, `svc.${domain}`, domain];
  return { nameservers: clusterDns, searches: [...new Set([...own, ...node.searches])], options: ["ndots:5"] };
}

function podResolver(pod: StoredPod, settings: DnsSettings, warnings: DnsWarnings | undefined): Resolver {
  const base = policyResolver(pod, settings, warnings);
  const own = pod.spec?.dnsConfig;
  // As much as the policy gives by itself is never too much.
  if (own === undefined && base.nameservers.length <= 1 && base.searches.length <= 3) return base;
  return latePodDns.code.fitted(own === undefined ? base : latePodDns.code.merged(base, own), pod, warnings);
}

/** The last one, for most Pods have the same: then all of them share one text. */
let lastResolvConf = "";

export function resolvConf(pod: StoredPod, settings: DnsSettings, warnings?: DnsWarnings): string {
  const { nameservers, searches, options } = podResolver(pod, settings, warnings);
  let text = "";
  if (searches.length > 0) text += `search ${searches.join(" ")}\n`;
  for (const server of nameservers) text += `nameserver ${server}\n`;
  if (options.length > 0) text += `options ${options.join(" ")}\n`;
  if (text !== lastResolvConf) lastResolvConf = text;
  return lastResolvConf;
}

export function hostsFile(pod: StoredPod, podIp: string, settings: DnsSettings): string {
  const hostname = hostnameOf(pod, settings.nodeName);
  let text: string;
  if (isHostNetwork(pod)) {
    text = `# Kubernetes-managed hosts file (host network).\n${settings.nodeHosts()}`;
  } else {
    const domain = domainOf(pod, settings.clusterDomain);
    const full = domain === "" ? "" : `${hostname}.${domain}\t`;
    text = `# Kubernetes-managed hosts file.\n${loopbackLines}${podIp}\t${full}${hostname}\n`;
  }
  const aliases = pod.spec?.hostAliases ?? [];
  if (aliases.length === 0) return text;
  return `${text}\n# Entries added by HostAliases.\n${aliases.map(({ ip, hostnames }) => `${ip}\t${(hostnames ?? []).join("\t")}\n`).join("")}`;
}
