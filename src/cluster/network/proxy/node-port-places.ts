// Which of a machine's addresses take connections to node ports (pkg/proxy/util/nodeport_addresses.go).

import { contains, isLoopback, parseAddress, parseRange } from "../addresses.ts";
import type { NodeNetwork } from "../network.ts";
import type { ProxySettings } from "./settings.ts";

/** `addresses` is undefined where all of them do, but perhaps for those of the loopback. */
export function nodePortPlaces(
  { addresses }: Pick<NodeNetwork, "addresses">,
  { nodePortAddresses, localhostNodePorts }: Pick<ProxySettings, "nodePortAddresses" | "localhostNodePorts">,
): { readonly addresses: readonly string[] | undefined; readonly isOnLoopback: boolean } {
  const ranges = nodePortAddresses.filter((range) => !range.includes(":")).map(parseRange);
  if (ranges.length === 0 || ranges.some(({ prefix }) => prefix === 0))
    return { addresses: undefined, isOnLoopback: localhostNodePorts };
  const own = addresses.filter((address) => ranges.some((range) => contains(range, parseAddress(address))));
  const taken = localhostNodePorts ? own : own.filter((address) => !isLoopback(address));
  return { addresses: taken, isOnLoopback: taken.some(isLoopback) };
}
