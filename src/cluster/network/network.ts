// The cluster's network as the node room sees it. Implemented in this folder; built by the composition root.

import type { ClientWire } from "#cluster/client/client.ts";
import type { Listeners } from "#sim/listeners.ts";
import type { NetworkStack } from "#sim/net.ts";
import type { Conntrack } from "./netfilter/conntrack.ts";
import type { PacketFilter } from "./netfilter/packet-filter.ts";

/** One node's part of the network. */
export interface NodeNetwork {
  readonly nodeName: string;
  /** The node's InternalIP. */
  readonly address: string;
  /** All of its own, in the order of its interfaces. */
  readonly addresses: readonly string[];
  /** The node's own namespace (host network). */
  readonly host: NetworkStack;
  /** Whether its machine is on. */
  isOn: boolean;
  readonly cable: Cable;
  /** What is sent to a machine that is off, or whose cable is cut, arrives nowhere. */
  readonly isReachable: boolean;
  /** The node's rules: kube-proxy writes them, `iptablesSave` prints them. */
  readonly packetFilter: PacketFilter;
  /** The flows of datagrams; undefined: none came by. */
  readonly conntrack: Conntrack | undefined;
  /**
   * Makes a namespace with an address of the node's pod range; throws when the range is used up, or not known yet. `name` is
   * `namespace/name` of the Pod, which policies know it by.
   */
  addPod(name?: string): PodNetwork;
  /** The kernel begins anew: of rules there are those that a kubelet makes. */
  forgetRules(): void;
}

/** What joins a node to the other machines. */
export interface Cable extends ClientWire {
  cut(): void;
  mend(): void;
  /** It was cut, and is whole again. */
  readonly onMend: Listeners;
}

export interface PodNetwork {
  readonly address: string;
  readonly stack: NetworkStack;
  /** Makes a port of the node (`hostPort`) lead to one of the pod's. */
  mapHostPort(mapping: HostPortMapping): void;
  /** Gives the address back; open connections break. */
  remove(): void;
}

export interface HostPortMapping {
  readonly hostPort: number;
  /** "" or absent: every address of the node. */
  readonly hostIp?: string;
  readonly protocol: "tcp" | "udp" | "sctp";
  readonly containerPort: number;
}

export interface ClusterNetwork {
  /** Adds a node's machine to the wire; `podCidr` may follow later (the controller manager allocates it). */
  addNode(nodeName: string, address: string): NodeNetwork & { podCidr: string | undefined };
  removeNode(nodeName: string): void;
  /** A machine outside of the pod ranges, such as the learner's workstation. */
  addHost(name: string, address: string): NetworkStack;
}
