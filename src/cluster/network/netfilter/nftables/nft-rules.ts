// Rules, sets and maps of nftables as kube-proxy uses them, in family ip. One form for what decides and what `nft list` prints.

import type { AddressMatch } from "../rules.ts";

export type End = "source" | "destination";

export type NftMatch =
  /** `ct state new`: connections are judged once, when they are new. */
  | { readonly kind: "new" }
  /** `ct status dnat` */
  | { readonly kind: "translated" }
  /** `ip saddr 10.0.0.0/8`, `ip saddr != { 10.0.0.0/8, 192.0.2.1 }` */
  | { readonly kind: "address"; readonly end: End; readonly ranges: readonly AddressMatch[]; readonly negated: boolean }
  /** `ip daddr @cluster-ips` */
  | { readonly kind: "member"; readonly end: End; readonly set: string }
  /** `ip saddr . ip daddr . meta l4proto . th dport @hairpin-connections` */
  | { readonly kind: "connection"; readonly set: string }
  /** `fib daddr type local` */
  | { readonly kind: "local"; readonly end: End }
  /** `meta l4proto tcp` */
  | { readonly kind: "protocol"; readonly protocol: string }
  /** `meta mark & 0x00004000 != 0x00000000` */
  | { readonly kind: "marked"; readonly mark: number };

export interface NftTarget {
  readonly address: string;
  readonly port: number;
}

export type NftVerdict =
  | { readonly kind: "jump" | "goto"; readonly chain: string }
  | { readonly kind: "drop" }
  | { readonly kind: "reject" };

export type NftStatement =
  | NftVerdict
  | { readonly kind: "mark"; readonly operator: "|" | "^"; readonly mark: number }
  | { readonly kind: "masquerade" }
  /** `ip daddr . meta l4proto . th dport vmap @…`, or without the address. */
  | { readonly kind: "lookup"; readonly key: "service" | "nodePort"; readonly map: string }
  /** `numgen random mod 2 vmap { 0 : goto …, 1 : goto … }` */
  | { readonly kind: "pickChain"; readonly chains: readonly string[] }
  /** `dnat ip to numgen random mod 2 map { … }` */
  | { readonly kind: "pickTarget"; readonly targets: readonly NftTarget[] }
  /** `dnat to 10.244.1.5:80` */
  | { readonly kind: "translate"; readonly target: NftTarget }
  /** `update @… { ip saddr }` */
  | { readonly kind: "update"; readonly set: string };

export interface NftRule {
  readonly matches: readonly NftMatch[];
  readonly statements: readonly NftStatement[];
  readonly comment?: string;
}

/** What a chain is hooked to. Of chains at one hook the lower priority comes first. */
export interface NftBase {
  readonly type: "filter" | "nat";
  readonly hook: "prerouting" | "input" | "forward" | "output" | "postrouting";
  readonly priority: number;
}

export interface NftChain {
  readonly base?: NftBase;
  readonly comment?: string;
  rules: readonly NftRule[];
}

export interface NftSet {
  /** `ipv4_addr`, `ipv4_addr . ipv4_addr . inet_proto . inet_service` */
  readonly type: string;
  readonly comment?: string;
  /** Elements are forgotten when nothing has updated them for so long. */
  readonly timeoutMs?: number;
  /** As printed; with when they are forgotten. */
  elements: Map<string, number | undefined>;
}

export interface NftMap {
  readonly type: string;
  readonly comment: string;
  elements: ReadonlyMap<string, NftElement>;
}

export interface NftElement {
  readonly verdict: NftVerdict;
  readonly comment?: string;
}

export const serviceKey = (address: string, protocol: string, port: number): string => `${address} . ${protocol} . ${port}`;
export const nodePortKey = (protocol: string, port: number): string => `${protocol} . ${port}`;
