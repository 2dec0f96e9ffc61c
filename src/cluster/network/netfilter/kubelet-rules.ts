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

export function kubeletRules(filter: PacketFilter): void {
  filter.setChain("mangle", "KUBE-IPTABLES-HINT", []);
  filter.setChain("mangle", "KUBE-KUBELET-CANARY", []);
  filter.setChain("nat", "KUBE-KUBELET-CANARY", []);
  filter.setChain("filter", "KUBE-KUBELET-CANARY", []);
  filter.setChain("filter", "KUBE-FIREWALL", [blockSpoofedLoopback]);
  filter.ensureRule("filter", "INPUT", toFirewall, "prepend");
  filter.ensureRule("filter", "OUTPUT", toFirewall, "prepend");
}
