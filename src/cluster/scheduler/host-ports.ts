// Ports of the node's own that a Pod asks for.

import type { Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";

export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const noPorts: readonly HostPort[] = [];

/** Of what runs as long as the Pod does: an init container's port counts if it is a sidecar (scheduler's GetHostPorts). */
export function hostPorts(pod: Stored<Pod>): readonly HostPort[] {
  let ports: HostPort[] | undefined;
  const sidecars = (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  for (const container of [...(pod.spec?.containers ?? []), ...sidecars]) {
    for (const { hostPort, hostIP, protocol } of container.ports ?? []) {
      if (hostPort === undefined || hostPort <= 0) continue;
      ports ??= [];
      ports.push({ ip: hostIP === undefined || hostIP === "" ? "0.0.0.0" : hostIP, protocol: protocol ?? "TCP", port: hostPort });
    }
  }
  return ports ?? noPorts;
}

/** A host port can be had once per address and protocol; 0.0.0.0 stands for every address. */
export function clash(one: HostPort, other: HostPort): boolean {
  return (
    one.port === other.port &&
    one.protocol === other.protocol &&
    (one.ip === other.ip || one.ip === "0.0.0.0" || other.ip === "0.0.0.0")
  );
}
