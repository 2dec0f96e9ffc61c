// Kube-proxy's chains that are there whatever Services exist, and the jumps to them.

import { address, comment, jump, type Match, type Rule, type TableName } from "../netfilter/rules.ts";

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
export const jumps: readonly Jump[] = [
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

const whenInvalid: Match = { kind: "state", states: "INVALID", negated: false };
const whenKnown: Match = { kind: "state", states: "RELATED,ESTABLISHED", negated: false };

/** The chains that say the same whatever Services exist, by table. `mark` is that of packets to be masqueraded. */
export function staticChains(mark: number): readonly (readonly [table: TableName, chain: string, rules: readonly Rule[]])[] {
  const markSet: Match = { kind: "mark", mark, negated: false };
  const forward: readonly Rule[] = [
    { matches: [whenInvalid], target: { kind: "drop" } },
    { matches: [comment("kubernetes forwarding rules"), markSet], target: { kind: "accept" } },
    { matches: [comment("kubernetes forwarding conntrack rule"), whenKnown], target: { kind: "accept" } },
  ];
  const postrouting: readonly Rule[] = [
    { matches: [{ ...markSet, negated: true }], target: { kind: "return" } },
    { matches: [], target: { kind: "mark", mark, mask: 0 } },
    { matches: [comment("kubernetes service traffic requiring SNAT")], target: { kind: "masquerade" } },
  ];
  return [
    ["filter", "KUBE-FORWARD", forward],
    ["nat", "KUBE-POSTROUTING", postrouting],
    ["nat", "KUBE-MARK-MASQ", [{ matches: [], target: { kind: "mark", mark, mask: mark } }]],
  ];
}

export const canary = "KUBE-PROXY-CANARY";

const last = comment("kubernetes service nodeports; NOTE: this must be the last rule in this chain");
const local: Match = { kind: "addressType", end: "destination" };
const target = jump("KUBE-NODEPORTS");

/** The last rules of nat's KUBE-SERVICES: one for all of the machine's addresses, or one for each that takes node ports. */
export function toNodePorts(addresses: readonly string[] | undefined, onLoopback: boolean): readonly Rule[] {
  if (addresses !== undefined) return addresses.map((each) => ({ destination: address(each), matches: [last], target }));
  const elsewhere = onLoopback ? {} : { destination: address("!127.0.0.0/8") };
  return [{ ...elsewhere, matches: [last, local], target }];
}
