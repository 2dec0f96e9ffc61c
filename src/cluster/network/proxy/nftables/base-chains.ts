// Of kube-proxy's table of nftables, what is there whatever Services exist.

import type { NftBase, NftChain, NftMatch, NftRule, NftStatement } from "../../netfilter/nftables/nft-rules.ts";
import { address } from "../../netfilter/rules.ts";
import { rejectChain } from "./port-rules.ts";

const whenNew: NftMatch = { kind: "new" };
const perService = "ipv4_addr . inet_proto . inet_service : verdict";
const perPort = "inet_proto . inet_service : verdict";

export const sets = {
  hairpins: {
    name: "hairpin-connections",
    type: "ipv4_addr . ipv4_addr . inet_proto . inet_service",
    comment: "service hairpin connections",
  },
  clusterIps: { name: "cluster-ips", type: "ipv4_addr", comment: "Active ClusterIPs" },
  nodePortIps: { name: "nodeport-ips", type: "ipv4_addr", comment: "IPs that accept NodePort traffic" },
} as const;

export const maps = {
  noEndpointServices: {
    name: "no-endpoint-services",
    type: perService,
    comment: "vmap to drop or reject packets to services with no endpoints",
  },
  noEndpointNodePorts: {
    name: "no-endpoint-nodeports",
    type: perPort,
    comment: "vmap to drop or reject packets to service nodeports with no endpoints",
  },
  firewallIps: { name: "firewall-ips", type: perService, comment: "destinations that are subject to LoadBalancerSourceRanges" },
  serviceIps: { name: "service-ips", type: perService, comment: "ClusterIP, ExternalIP and LoadBalancer IP traffic" },
  nodePorts: { name: "service-nodeports", type: perPort, comment: "NodePort traffic" },
} as const;

function jump(chain: string, matches: readonly NftMatch[] = []): NftRule {
  return { matches, statements: [{ kind: "jump", chain }] };
}

/** Source ranges count before translation, what has no endpoints after it: only what was not translated is still a Service's. */
const hooked: readonly (readonly [name: string, base: NftBase, rules: readonly NftRule[]])[] = [
  ["filter-prerouting-pre-dnat", { type: "filter", hook: "prerouting", priority: -110 }, [jump("firewall-check", [whenNew])]],
  ["filter-output-pre-dnat", { type: "filter", hook: "output", priority: -110 }, [jump("firewall-check", [whenNew])]],
  [
    "filter-input",
    { type: "filter", hook: "input", priority: 0 },
    [jump("nodeport-endpoints-check", [whenNew]), jump("service-endpoints-check", [whenNew])],
  ],
  [
    "filter-forward",
    { type: "filter", hook: "forward", priority: 0 },
    [jump("service-endpoints-check", [whenNew]), jump("cluster-ips-check", [whenNew])],
  ],
  [
    "filter-output",
    { type: "filter", hook: "output", priority: 0 },
    [jump("service-endpoints-check", [whenNew]), jump("cluster-ips-check", [whenNew])],
  ],
  ["nat-prerouting", { type: "nat", hook: "prerouting", priority: -100 }, [jump("services")]],
  ["nat-output", { type: "nat", hook: "output", priority: -100 }, [jump("services")]],
  ["nat-postrouting", { type: "nat", hook: "postrouting", priority: 100 }, [jump("masquerading")]],
];

export interface BaseOptions {
  readonly podRange: string | undefined;
  readonly masqueradeAll: boolean;
  readonly mark: number;
  /** Node ports are taken by every address but the loopback's. */
  readonly takesAll: boolean;
  readonly serviceCidrs: readonly string[];
}

export const setMark = (mark: number): NftStatement => ({ kind: "mark", operator: "|", mark });

export function baseChains(options: BaseOptions): readonly (readonly [name: string, chain: NftChain])[] {
  const { mark, takesAll, serviceCidrs } = options;
  const lookup = (key: "service" | "nodePort", map: { readonly name: string }, matches: readonly NftMatch[] = []): NftRule => ({
    matches,
    statements: [{ kind: "lookup", key, map: map.name }],
  });
  const noLoopback: NftMatch = { kind: "address", end: "destination", ranges: [address("127.0.0.0/8")], negated: true };
  const toNode: NftMatch = { kind: "member", end: "destination", set: sets.nodePortIps.name };
  const toLocal: NftMatch = { kind: "local", end: "destination" };
  const toCluster: NftMatch = { kind: "member", end: "destination", set: sets.clusterIps.name };
  const masquerade: NftStatement = { kind: "masquerade" };
  const unallocated: readonly NftRule[] =
    serviceCidrs.length === 0
      ? []
      : [
          {
            matches: [{ kind: "address", end: "destination", ranges: serviceCidrs.map(address), negated: false }],
            statements: [{ kind: "drop" }],
            comment: "Drop traffic to unallocated ClusterIPs",
          },
        ];
  return [
    ...hooked.map(([name, base, rules]): [string, NftChain] => [name, { base, rules }]),
    ["nodeport-endpoints-check", { rules: [lookup("nodePort", maps.noEndpointNodePorts, [takesAll ? noLoopback : toNode])] }],
    ["service-endpoints-check", { rules: [lookup("service", maps.noEndpointServices)] }],
    ["firewall-check", { rules: [lookup("service", maps.firewallIps)] }],
    [
      "services",
      {
        rules: [
          ...internalMark(options, toCluster),
          lookup("service", maps.serviceIps),
          lookup("nodePort", maps.nodePorts, takesAll ? [toLocal, noLoopback] : [toNode]),
        ],
      },
    ],
    [
      "masquerading",
      {
        rules: [
          { matches: [{ kind: "marked", mark }], statements: [{ kind: "mark", operator: "^", mark }, masquerade] },
          { matches: [{ kind: "translated" }, { kind: "connection", set: sets.hairpins.name }], statements: [masquerade] },
        ],
      },
    ],
    [
      "cluster-ips-check",
      {
        rules: [
          { matches: [toCluster], statements: [{ kind: "reject" }], comment: "Reject traffic to invalid ports of ClusterIPs" },
          ...unallocated,
        ],
      },
    ],
    [
      rejectChain,
      {
        comment: "helper for @no-endpoint-services / @no-endpoint-nodeports",
        rules: [{ matches: [], statements: [{ kind: "reject" }] }],
      },
    ],
  ];
}

/** Traffic to cluster IPs that might go on to another node must come back through this one. */
function internalMark({ podRange, masqueradeAll, mark }: BaseOptions, toCluster: NftMatch): readonly NftRule[] {
  if (masqueradeAll) return [{ matches: [toCluster], statements: [setMark(mark)], comment: "masquerade all clusterIP traffic" }];
  if (podRange === undefined) return [];
  const elsewhere: NftMatch = { kind: "address", end: "source", ranges: [address(podRange)], negated: true };
  const comment = "masquerade clusterIP traffic from outside cluster";
  return [{ matches: [toCluster, elsewhere], statements: [setMark(mark)], comment }];
}
