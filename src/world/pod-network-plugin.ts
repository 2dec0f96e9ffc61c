// The network plugin's part that is not on the wire: it gives each node the address range that the controller manager
// allocated to it (until then Pods on the node wait with "cni plugin not initialized"), and acts on NetworkPolicies where
// it is one that does.

import { nodes } from "#cluster/api/kinds.ts";
import type { Client } from "#cluster/client/client.ts";
import { Informer } from "#cluster/client/informer.ts";
import type { WiredClusterNetwork } from "#cluster/network/cluster-network.ts";
import { enforceNetworkPolicies } from "#cluster/network/policy/enforcement.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { ClusterNode } from "./cluster-node.ts";
import type { ClusterShape } from "./cluster-shape.ts";

export interface PodNetworkPluginOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly network: WiredClusterNetwork;
  readonly nodes: readonly ClusterNode[];
  readonly networkPolicies: ClusterShape["networkPolicies"];
}

export function startPodNetworkPlugin({ simulation, client, network, ...options }: PodNetworkPluginOptions): void {
  const wires = new Map(options.nodes.map((node) => [node.shape.name, node.network]));
  const informer = new Informer(simulation, client, nodes);
  informer.addHandler(({ metadata, spec }, _previous, deleted) => {
    const wire = wires.get(metadata.name);
    if (wire !== undefined && !deleted && spec?.podCIDR !== undefined) wire.podCidr = spec.podCIDR;
  });
  informer.start();
  if (options.networkPolicies === "enforced") enforceNetworkPolicies({ simulation, client, network });
}
