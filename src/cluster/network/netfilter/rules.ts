// Rules as iptables knows them: what a packet must look like, and what happens to it then. One form for what decides and
// what `iptables-save` prints.

import { parseRange, type Range } from "../addresses.ts";

export type TableName = "mangle" | "filter" | "nat";

/** An address condition: `-s 10.0.0.0/8`, `! -d 10.0.0.1/32`. */
export interface AddressMatch {
  readonly range: Range;
  readonly text: string;
  readonly negated: boolean;
}

/** `-m …`, in the order in which they are printed. */
export type Match =
  | { readonly kind: "comment"; readonly text: string }
  /** `-m tcp --dport 80`; without a port just `-m tcp`. */
  | { readonly kind: "protocol"; readonly destinationPort?: number }
  | { readonly kind: "addressType"; readonly end: "source" | "destination" }
  /** `value` is a 31-bit fraction. */
  | { readonly kind: "statistic"; readonly value: number }
  | { readonly kind: "recentCheck"; readonly list: string; readonly seconds: number }
  | { readonly kind: "recentSet"; readonly list: string }
  | { readonly kind: "mark"; readonly mark: number; readonly negated: boolean }
  /** Connections are judged once, when they are new; no rule here sees anything else. */
  | { readonly kind: "state"; readonly states: string; readonly negated: boolean };

export type Target =
  | { readonly kind: "jump"; readonly chain: string }
  | { readonly kind: "return" }
  | { readonly kind: "accept" }
  | { readonly kind: "drop" }
  | { readonly kind: "reject"; readonly with: string }
  | { readonly kind: "mark"; readonly mark: number; readonly mask: number }
  | { readonly kind: "destinationNat"; readonly address: string; readonly port: number }
  | { readonly kind: "masquerade" };

export interface Rule {
  readonly source?: AddressMatch;
  readonly destination?: AddressMatch;
  readonly protocol?: "tcp" | "udp" | "sctp" | "icmp";
  readonly matches: readonly Match[];
  /** Absent: the rule only counts packets. */
  readonly target?: Target;
}

/** `10.0.0.0/8`, `10.0.0.1`, with "!" in front for "any other". */
export function address(text: string): AddressMatch {
  const negated = text.startsWith("!");
  const plain = negated ? text.slice(1) : text;
  return { range: parseRange(plain), text: plain.includes("/") ? plain : `${plain}/32`, negated };
}

export function comment(text: string): Match {
  return { kind: "comment", text };
}

export function jump(chain: string): Target {
  return { kind: "jump", chain };
}

/** The fraction that iptables keeps of 1/n, after kube-proxy has written it with ten digits. */
export function oneIn(n: number): Match {
  return { kind: "statistic", value: Math.round(Number((1 / n).toFixed(10)) * 0x8000_0000) };
}
