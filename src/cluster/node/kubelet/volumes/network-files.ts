// /etc/hosts, /etc/hostname and /etc/resolv.conf of a pod's containers.

import { domainOf, hostnameOf, isHostNetwork, type StoredPod } from "../pod-spec.ts";

export interface DnsSettings {
  readonly clusterDns: readonly string[];
  readonly clusterDomain: string;
  /** The node's own /etc/resolv.conf, or another file that the kubelet is told; undefined: none (`resolvConf: ""`). */
  readonly nodeResolvConf: string | undefined;
  /** The node's own /etc/hosts. */
  readonly nodeHosts: () => string;
  readonly nodeName: string;
}

interface Resolver {
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
    else if (keyword === "search") searches = values;
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

function policyResolver(pod: StoredPod, settings: DnsSettings): Resolver {
  const node = nodeResolver(settings);
  const policy = pod.spec?.dnsPolicy ?? "ClusterFirst";
  if (policy === "None") return { nameservers: [], searches: [], options: [] };
  if (policy === "Default" || (policy === "ClusterFirst" && isHostNetwork(pod)))
    return settings.nodeResolvConf === undefined ? nowhere : node;
  const domain = settings.clusterDomain;
  const searches = [`${pod.metadata.namespace}.svc.${domain}`, `svc.${domain}`, domain, ...node.searches];
  return { nameservers: settings.clusterDns, searches: distinct(searches), options: ["ndots:5"] };
}

function distinct(texts: readonly string[]): readonly string[] {
  return texts.some((text, index) => texts.indexOf(text) !== index) ? [...new Set(texts)] : texts;
}

function merged(base: Resolver, pod: StoredPod): Resolver {
  const extra = pod.spec?.dnsConfig;
  if (extra === undefined) return base;
  const options = new Map(base.options.map((option) => [option.split(":")[0] as string, option]));
  for (const { name = "", value } of extra.options ?? []) options.set(name, value === undefined ? name : `${name}:${value}`);
  return {
    nameservers: distinct([...base.nameservers, ...(extra.nameservers ?? [])]),
    searches: distinct([...base.searches, ...(extra.searches ?? [])]),
    options: [...options.values()],
  };
}

/** The last one, for most Pods have the same: then all of them share one text. */
let lastResolvConf = "";

export function resolvConf(pod: StoredPod, settings: DnsSettings): string {
  const { nameservers, searches, options } = merged(policyResolver(pod, settings), pod);
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
