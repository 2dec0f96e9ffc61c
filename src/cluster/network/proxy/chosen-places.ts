// Which of a machine's addresses take connections to node ports (pkg/proxy/util/nodeport_addresses.go).

import { contains, isLoopback, parseAddress, parseRange } from "../addresses.ts";
import type { NodeNetwork } from "../network.ts";
import type { NodePortPlaces, ProxySettings } from "./settings.ts";

export function chosenPlaces(
  { addresses }: Pick<NodeNetwork, "addresses">,
  { nodePortAddresses, localhostNodePorts }: Pick<ProxySettings, "nodePortAddresses" | "localhostNodePorts">,
): NodePortPlaces {
  const ranges = nodePortAddresses.filter((range) => !range.includes(":")).map(parseRange);
  if (ranges.length === 0 || ranges.some(({ prefix }) => prefix === 0))
    return { addresses: undefined, isOnLoopback: localhostNodePorts };
  const own = addresses.filter((address) => ranges.some((range) => contains(range, parseAddress(address))));
  const taken = localhostNodePorts ? own : own.filter((address) => !isLoopback(address));
  return { addresses: taken, isOnLoopback: taken.some(isLoopback) };
}
