// Interfaces and routes of the namespaces on the wires, as the `bridge` network plugin lays them out (the plugin of /etc/cni/net.d): a Pod has one
// end of a pair, the other is a port of its node's cni0; nodes know each other's ranges by routes.

import type { NetworkLink, NetworkPlace, NetworkRoute } from "#sim/net.ts";
import { loopbackLink } from "#sim/network/loopback.ts";
import { formatAddress, parseAddress, parseRange } from "./addresses.ts";
import type { NamespaceStack } from "./namespace-stack.ts";
import type { WiredNode } from "./node-network.ts";

/** The network that nodes and other machines are on. */
const machinePrefix = 16;
const everything = "0.0.0.0/0";
const bridge = "cni0";

/** `node`: where the namespace is; undefined for machines outside of the cluster. */
export function placeOf(stack: NamespaceStack, node: WiredNode | undefined, nodes: Iterable<WiredNode>): NetworkPlace {
  if (node !== undefined && node.host !== stack) return podPlace(stack, node);
  const { address } = stack;
  const machines = rangeOf(address, machinePrefix);
  const gateway = formatAddress(parseRange(machines).base + 1);
  const wired = {
    ...ethernet(2, "eth0", machineHardware(address), `${address}/${machinePrefix}`),
    isUp: node?.cable.isCut !== true,
  };
  const links: NetworkLink[] = [loopbackLink, wired];
  const routes: NetworkRoute[] = [{ destination: everything, gateway, link: "eth0" }];
  if (node?.podCidr !== undefined && node.gateway !== undefined) {
    const pods = [...node.pods];
    const { prefix } = parseRange(node.podCidr);
    links.push({ ...ethernet(3, bridge, podHardware(node.gateway), `${node.gateway}/${prefix}`), isUp: pods.length > 0 });
    for (const pod of pods) links.push({ ...nodeEnd(pod.address, pod.linkIndex), peerIndex: 2, master: bridge });
    routes.push(...podRoutes(node, node.gateway, nodes));
  }
  routes.push({ destination: machines, link: "eth0", source: address });
  return { links, routes };
}

/** To the Pods of every node, ascending. */
function podRoutes(own: WiredNode, gateway: string, nodes: Iterable<WiredNode>): readonly NetworkRoute[] {
  const routes: NetworkRoute[] = [];
  for (const node of nodes) {
    if (node.podCidr === undefined) continue;
    const destination = node.podCidr;
    if (node === own) routes.push({ destination, link: bridge, source: gateway });
    else routes.push({ destination, gateway: node.address, link: "eth0" });
  }
  return routes.sort((a, b) => parseRange(a.destination).base - parseRange(b.destination).base);
}

function podPlace(stack: NamespaceStack, node: WiredNode): NetworkPlace {
  const { address } = stack;
  const { prefix } = parseRange(node.podCidr ?? `${address}/32`);
  const pod = [...node.pods].find((each) => each.stack === stack);
  const end = ethernet(2, "eth0", podHardware(address), `${address}/${prefix}`);
  const routes: NetworkRoute[] = [{ destination: rangeOf(address, prefix), link: "eth0", source: address }];
  if (node.gateway !== undefined) routes.unshift({ destination: everything, gateway: node.gateway, link: "eth0" });
  return { links: [loopbackLink, pod === undefined ? end : { ...end, peerIndex: pod.linkIndex }], routes };
}

function rangeOf(address: string, prefix: number): string {
  return `${formatAddress(parseRange(`${address}/${prefix}`).base)}/${prefix}`;
}

function ethernet(index: number, name: string, hardware: string, address: string): NetworkLink {
  return { index, name, kind: "ethernet", hardware, address, isUp: true };
}

function nodeEnd(podAddress: string, index: number): NetworkLink {
  const name = `veth${hexOf(podAddress).replaceAll(":", "")}`;
  return { index, name, kind: "ethernet", hardware: `4e:1d:${hexOf(podAddress)}`, isUp: true };
}

/** Docker's rule for a container, and here a machine, without an address of its maker's. */
function machineHardware(address: string): string {
  return `02:42:${hexOf(address)}`;
}

/** The bridge plugin's rule. */
function podHardware(address: string): string {
  return `0a:58:${hexOf(address)}`;
}

function hexOf(address: string): string {
  const hex = parseAddress(address).toString(16).padStart(8, "0");
  return (hex.match(/../gu) as string[]).join(":");
}
