// The cluster's network as the node room sees it. Implemented in this folder; built by the composition root.

import type { NetworkStack } from "#sim/net.ts";

/** One node's part of the network. */
export interface NodeNetwork {
  readonly nodeName: string;
  /** The node's InternalIP. */
  readonly address: string;
  /** The node's own namespace (host network). */
  readonly host: NetworkStack;
  /** Makes a namespace with an address of the node's pod range; throws when the range is used up. */
  addPod(): PodNetwork;
}

export interface PodNetwork {
  readonly address: string;
  readonly stack: NetworkStack;
  /** Gives the address back; open connections break. */
  remove(): void;
}

export interface ClusterNetwork {
  /** Adds a node's machine to the wire; `podCidr` may follow later (the controller manager allocates it). */
  addNode(nodeName: string, address: string): NodeNetwork & { podCidr: string | undefined };
  removeNode(nodeName: string): void;
  /** A machine outside of the pod ranges, such as the learner's workstation. */
  addHost(name: string, address: string): NetworkStack;
}
