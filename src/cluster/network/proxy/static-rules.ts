// Kube-proxy's chains that are there whatever Services exist, and the jumps to them.

import type { PacketFilter } from "../netfilter/packet-filter.ts";
import { comment, jump, type Match, masqueradeMark, type Rule, type TableName } from "../netfilter/rules.ts";
import { setMasqueradeMark } from "./service-rules.ts";

const whenNew: Match = { kind: "state", states: "NEW", negated: false };

interface Jump {
  readonly table: TableName;
  readonly from: string;
  readonly rule: Rule;
}

function jumpRule(table: TableName, from: string, chain: string, text: string, matches: readonly Match[] = []): Jump {
  return { table, from, rule: { matches: [...matches, comment(text)], target: jump(chain) } };
}

/** Each is put in front of the ones before, as kube-proxy does at every start. */
const jumps: readonly Jump[] = [
  jumpRule("filter", "INPUT", "KUBE-EXTERNAL-SERVICES", "kubernetes externally-visible service portals", [whenNew]),
  jumpRule("filter", "FORWARD", "KUBE-EXTERNAL-SERVICES", "kubernetes externally-visible service portals", [whenNew]),
  jumpRule("filter", "INPUT", "KUBE-NODEPORTS", "kubernetes health check service ports"),
  jumpRule("filter", "FORWARD", "KUBE-SERVICES", "kubernetes service portals", [whenNew]),
  jumpRule("filter", "OUTPUT", "KUBE-SERVICES", "kubernetes service portals", [whenNew]),
  jumpRule("filter", "FORWARD", "KUBE-FORWARD", "kubernetes forwarding rules"),
  jumpRule("filter", "INPUT", "KUBE-PROXY-FIREWALL", "kubernetes load balancer firewall", [whenNew]),
  jumpRule("filter", "OUTPUT", "KUBE-PROXY-FIREWALL", "kubernetes load balancer firewall", [whenNew]),
  jumpRule("filter", "FORWARD", "KUBE-PROXY-FIREWALL", "kubernetes load balancer firewall", [whenNew]),
  jumpRule("nat", "OUTPUT", "KUBE-SERVICES", "kubernetes service portals"),
  jumpRule("nat", "PREROUTING", "KUBE-SERVICES", "kubernetes service portals"),
  jumpRule("nat", "POSTROUTING", "KUBE-POSTROUTING", "kubernetes postrouting rules"),
];

const markSet: Match = { kind: "mark", mark: masqueradeMark, negated: false };

const forwardRules: readonly Rule[] = [
  { matches: [{ kind: "state", states: "INVALID", negated: false }], target: { kind: "drop" } },
  { matches: [comment("kubernetes forwarding rules"), markSet], target: { kind: "accept" } },
  {
    matches: [comment("kubernetes forwarding conntrack rule"), { kind: "state", states: "RELATED,ESTABLISHED", negated: false }],
    target: { kind: "accept" },
  },
];

const postroutingRules: readonly Rule[] = [
  { matches: [{ kind: "mark", mark: masqueradeMark, negated: true }], target: { kind: "return" } },
  { matches: [], target: { kind: "mark", mark: masqueradeMark, mask: 0 } },
  { matches: [comment("kubernetes service traffic requiring SNAT")], target: { kind: "masquerade" } },
];

const markRules: readonly Rule[] = [{ matches: [], target: setMasqueradeMark }];

/** The last rule of nat's KUBE-SERVICES. */
export const toNodePorts: Rule = {
  matches: [
    comment("kubernetes service nodeports; NOTE: this must be the last rule in this chain"),
    { kind: "addressType", end: "destination" },
  ],
  target: jump("KUBE-NODEPORTS"),
};

export function installStaticRules(filter: PacketFilter): void {
  for (const table of ["mangle", "filter", "nat"] as const) filter.setChain(table, "KUBE-PROXY-CANARY", []);
  filter.setChain("filter", "KUBE-FORWARD", forwardRules);
  filter.setChain("nat", "KUBE-POSTROUTING", postroutingRules);
  filter.setChain("nat", "KUBE-MARK-MASQ", markRules);
  for (const { table, from, rule } of jumps) filter.ensureRule(table, from, rule, "prepend");
}
