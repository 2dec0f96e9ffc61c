// Programs that every machine of the cluster has beside the standard ones.

import type { WiredClusterNetwork } from "#cluster/network/cluster-network.ts";
import { iptablesSave } from "#cluster/network/netfilter/iptables-save.ts";
import { commandFiles } from "#shell/command-files.ts";
import type { FileTree } from "#sim/files.ts";
import type { Process, Sys } from "#sim/program.ts";
import { crictl, type RuntimeMachine } from "./crictl.ts";
import { type ServiceMachine, systemctl } from "./systemctl.ts";

/** One tree for all machines, so that the kernel keeps it once. */
export function machineTools(
  network: WiredClusterNetwork,
  find: (hostname: string) => (ServiceMachine & RuntimeMachine) | undefined,
): FileTree {
  const save = function* (self: Process): Sys<number> {
    const node = network.node(self.hostname);
    if (node !== undefined) return yield* iptablesSave(node.packetFilter)(self);
    yield* self.write(2, "iptables-save: this machine is not on the cluster's network\n");
    return 1;
  };
  return new Map([
    ...commandFiles("gnu"),
    ["/usr/bin/systemctl", { type: "program", program: systemctl(find), permissions: 0o755 }],
    ["/usr/bin/crictl", { type: "program", program: crictl(find), permissions: 0o755 }],
    ["/usr/sbin/iptables-save", { type: "program", program: save, permissions: 0o755 }],
  ]);
}
