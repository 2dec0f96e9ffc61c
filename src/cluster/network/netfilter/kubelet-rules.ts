// What the kubelet puts into its node's packet filter: a hint, a canary, and the block on spoofed loopback packets
// (CVE-2020-8558).

import type { PacketFilter } from "./packet-filter.ts";
import { address, comment, jump, type Rule } from "./rules.ts";

const blockSpoofedLoopback: Rule = {
  source: address("!127.0.0.0/8"),
  destination: address("127.0.0.0/8"),
  matches: [comment("block incoming localnet connections"), { kind: "state", states: "RELATED,ESTABLISHED,DNAT", negated: true }],
  target: { kind: "drop" },
};

const toFirewall: Rule = { matches: [], target: jump("KUBE-FIREWALL") };

export const kubeletCanary = "KUBE-KUBELET-CANARY";

export function kubeletRules(filter: PacketFilter): void {
  filter.setChain("mangle", "KUBE-IPTABLES-HINT", []);
  for (const table of ["mangle", "nat", "filter"] as const) filter.setChain(table, kubeletCanary, []);
  loopbackBlock(filter);
}

/** Kube-proxy makes it too, where it lets node ports answer on localhost. */
export function loopbackBlock(filter: PacketFilter): void {
  filter.setChain("filter", "KUBE-FIREWALL", [blockSpoofedLoopback]);
  filter.ensureRule("filter", "INPUT", toFirewall, "prepend");
  filter.ensureRule("filter", "OUTPUT", toFirewall, "prepend");
}
