// On which of its addresses a node takes connections to node ports (pkg/proxy/util, NodePortAddresses).

import { contains, isLoopback, parseAddress, parseRange } from "../addresses.ts";
import { address, type Rule } from "../netfilter/rules.ts";
import type { ProxySettings } from "./settings.ts";
import { toNodePorts } from "./static-rules.ts";

const loopbackRange = "127.0.0.0/8";

export function isIpv4(range: string): boolean {
  return !range.includes(":");
}

/** Nothing said of IPv4, or everything. */
function takesAll({ nodePortAddresses }: ProxySettings): boolean {
  const ranges = nodePortAddresses.filter(isIpv4);
  return ranges.length === 0 || ranges.some((range) => parseRange(range).prefix === 0);
}

export function takesLoopback(settings: ProxySettings): boolean {
  const first = parseAddress("127.0.0.0");
  const isLoopbackRange = (range: string) => isLoopback(range) || contains(parseRange(range), first);
  return settings.localhostNodePorts && (takesAll(settings) || settings.nodePortAddresses.filter(isIpv4).some(isLoopbackRange));
}

/** The end of nat's KUBE-SERVICES; `own`: the node's addresses. */
export function nodePortRules(settings: ProxySettings, own: readonly string[]): readonly Rule[] {
  if (takesAll(settings)) {
    return [takesLoopback(settings) ? toNodePorts : { destination: address(`!${loopbackRange}`), ...toNodePorts }];
  }
  const matches = toNodePorts.matches.filter(({ kind }) => kind === "comment");
  return matching(settings, own)
    .filter((each) => settings.localhostNodePorts || !isLoopback(each))
    .map((each) => ({ ...toNodePorts, destination: address(each), matches }));
}

/** Where the servers of health check node ports listen; undefined: on every address. */
export function listenAddresses(settings: ProxySettings, own: readonly string[]): readonly (string | undefined)[] {
  return takesAll(settings) ? [undefined] : matching(settings, own);
}

function matching({ nodePortAddresses }: ProxySettings, own: readonly string[]): readonly string[] {
  const ranges = nodePortAddresses.filter(isIpv4).map(parseRange);
  return own.filter((each) => ranges.some((range) => contains(range, parseAddress(each))));
}
