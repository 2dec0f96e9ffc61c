// What kube-proxy takes away of other modes when it starts, and of all with --cleanup (pkg/proxy/iptables/cleanup.go).

import type { PacketFilter } from "../netfilter/packet-filter.ts";
import type { NodeNetwork } from "../network.ts";
import { serviceChains } from "./iptables-proxier.ts";
import { canary, jumps } from "./static-rules.ts";

const natChains = ["KUBE-SERVICES", "KUBE-NODEPORTS", "KUBE-POSTROUTING", "KUBE-MARK-MASQ", canary];
const filterChains = ["KUBE-SERVICES", "KUBE-EXTERNAL-SERVICES", "KUBE-FORWARD", "KUBE-NODEPORTS", "KUBE-PROXY-FIREWALL", canary];

/** The kubelet's chains stay. */
export function cleanUpIptables(filter: PacketFilter): void {
  for (const { table, from, rule } of jumps) {
    const rules = filter.chain(table, from) ?? [];
    if (rules.includes(rule))
      filter.setChain(
        table,
        from,
        rules.filter((each) => each !== rule),
      );
  }
  for (const name of [...natChains, ...serviceChains(filter)]) filter.deleteChain("nat", name);
  for (const name of filterChains) filter.deleteChain("filter", name);
  filter.deleteChain("mangle", canary);
}

export function cleanUpOthers({ packetFilter }: Pick<NodeNetwork, "packetFilter">): void {
  packetFilter.hooked = undefined;
}
