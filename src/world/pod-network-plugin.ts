// The network plugin's part that is not on the wire: it gives each node the address range that the controller manager
// allocated to it. Until then Pods on the node wait with "cni plugin not initialized".

import { nodes } from "#cluster/api/kinds.ts";
import type { Client } from "#cluster/client/client.ts";
import { Informer } from "#cluster/client/informer.ts";
import type { WiredNode } from "#cluster/network/node-network.ts";
import type { Simulation } from "#sim/simulation.ts";

export function startPodNetworkPlugin(simulation: Simulation, client: Client, wires: ReadonlyMap<string, WiredNode>): void {
  const informer = new Informer(simulation, client, nodes);
  informer.addHandler(({ metadata, spec }, _previous, deleted) => {
    const wire = wires.get(metadata.name);
    if (wire !== undefined && !deleted && spec?.podCIDR !== undefined) wire.podCidr = spec.podCIDR;
  });
  informer.start();
}
