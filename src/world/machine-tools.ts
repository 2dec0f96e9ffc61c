// Programs that every machine of the cluster has beside the standard ones.

import type { WiredClusterNetwork } from "#cluster/network/cluster-network.ts";
import { commandFiles } from "#shell/command-files.ts";
import type { FileTree, TreeEntry } from "#sim/files.ts";
import { once } from "#sim/late.ts";
import { lateProgram } from "#sim/late-programs.ts";
import type { Process, Sys } from "#sim/program.ts";
import { lateMachineTools } from "./late-machine-tools.ts";
import type { MachinePower } from "./machine-power.ts";
import type { NodeMachine, NodePrograms } from "./node-programs.ts";

/** One tree for all machines, so that the kernel keeps it once. */
export function machineTools(
  network: WiredClusterNetwork,
  find: (hostname: string) => NodeMachine | undefined,
  powerOf: (hostname: string) => MachinePower | undefined,
): FileTree {
  const ofPacketFilter = (name: "iptables" | "iptablesSave" | "nft"): TreeEntry => ({
    type: "program",
    permissions: 0o755,
    program: function* (self: Process): Sys<number> {
      const node = network.node(self.hostname);
      if (node !== undefined) return yield* lateMachineTools.code[name](node.packetFilter)(self);
      yield* self.write(2, `${self.argv[0]}: this machine is not on the cluster's network\n`);
      return 1;
    },
  });
  const programs = once(() => lateMachineTools.code.nodePrograms(find, powerOf));
  const tool = (name: keyof NodePrograms): TreeEntry => ({
    type: "program",
    permissions: 0o755,
    program: (self) => programs()[name](self),
  });
  return new Map<string, TreeEntry>([
    ...commandFiles("gnu"),
    ["/usr/bin/apt", tool("apt")],
    ["/usr/bin/apt-cache", tool("aptCache")],
    ["/usr/bin/apt-get", tool("aptGet")],
    ["/usr/bin/containerd", tool("containerd")],
    ["/usr/bin/dpkg", tool("dpkg")],
    ["/usr/bin/sudo", tool("sudo")],
    ["/usr/bin/systemctl", tool("systemctl")],
    ["/usr/bin/getsubids", tool("getsubids")],
    ["/usr/sbin/useradd", tool("useradd")],
    ["/usr/sbin/userdel", tool("userdel")],
    ["/usr/sbin/mkswap", tool("mkswap")],
    ["/usr/sbin/swapoff", tool("swapoff")],
    ["/usr/sbin/swapon", tool("swapon")],
    ["/usr/sbin/poweroff", tool("poweroff")],
    ["/usr/sbin/reboot", tool("reboot")],
    ["/usr/sbin/service", tool("service")],
    ["/usr/sbin/shutdown", tool("shutdown")],
    ["/usr/bin/crictl", tool("crictl")],
    ["/usr/bin/ctr", tool("ctr")],
    ["/usr/bin/kubelet", tool("kubelet")],
    ["/usr/bin/journalctl", tool("journalctl")],
    ["/usr/bin/dmesg", tool("dmesg")],
    ["/usr/sbin/iptables", ofPacketFilter("iptables")],
    ["/usr/sbin/iptables-save", ofPacketFilter("iptablesSave")],
    ["/usr/sbin/nft", ofPacketFilter("nft")],
  ]);
}

/** The same with etcd's clients, for machines of the control plane. */
export function withEtcdTools(tools: FileTree): FileTree {
  const program = (name: string): [string, TreeEntry] => [
    `/usr/local/bin/${name}`,
    { type: "program", permissions: 0o755, program: lateProgram(name) },
  ];
  return new Map([...tools, program("etcdctl"), program("etcdutl")]);
}
