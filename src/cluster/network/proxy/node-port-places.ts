// Which of a machine's addresses take connections to node ports: all of them, unless the settings name some.

import type { NodeNetwork } from "../network.ts";
import { lateProxy } from "./late-proxy.ts";
import type { NodePortPlaces, ProxySettings } from "./settings.ts";

export function nodePortPlaces(node: Pick<NodeNetwork, "addresses">, settings: ProxySettings): NodePortPlaces {
  if (settings.nodePortAddresses.length > 0) return lateProxy.code.chosenPlaces(node, settings);
  return { addresses: undefined, isOnLoopback: settings.localhostNodePorts };
}
