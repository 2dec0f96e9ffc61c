// The packet filter of one machine: tables, chains, and the judgement of new connections by them. Kube-proxy and the
// kubelet write it, `iptables-save` prints it, and every connection of the machine and its pods runs through it.

import { Listeners } from "#sim/listeners.ts";
import type { Random } from "#sim/random.ts";
import { contains, parseAddress } from "../addresses.ts";
import { KnownFlows } from "./known-flows.ts";
import type { Packet } from "./packet.ts";
import type { Match, Rule, TableName } from "./rules.ts";

export type Verdict = "accept" | "drop" | "reject";

/** What rules ask about the machine that they are on. */
export interface PacketSurroundings {
  readonly random: Random;
  readonly nowMs: number;
  isLocalAddress(address: string): boolean;
}

/** Tables beside those of iptables, at the hooks that those have too. Of a packet they may change its destination and its mark. */
export interface HookedTables {
  /** What comes before translation, and translation itself. */
  translate(packet: Packet, hook: "PREROUTING" | "OUTPUT"): "drop" | "reject" | undefined;
  filter(packet: Packet, hook: "INPUT" | "FORWARD" | "OUTPUT"): "drop" | "reject" | undefined;
  masquerades(packet: Packet): boolean;
}

interface Chain {
  readonly policy: "ACCEPT" | undefined;
  readonly rules: readonly Rule[];
  /** Made for long chains when the first packet comes: rules by `address:port`, and those that fit several. */
  index: ChainIndex | undefined;
}

interface ChainIndex {
  readonly exact: ReadonlyMap<string, readonly number[]>;
  readonly byPort: ReadonlyMap<number, readonly number[]>;
  readonly others: readonly number[];
}

const builtInChains: { readonly [table in TableName]: readonly string[] } = {
  mangle: ["PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING"],
  filter: ["INPUT", "FORWARD", "OUTPUT"],
  nat: ["PREROUTING", "INPUT", "OUTPUT", "POSTROUTING"],
};

const tableNames: readonly TableName[] = ["mangle", "filter", "nat"];
/** Shorter chains are walked rule by rule. */
const indexFromRules = 12;
/** The kernel's own limit on nested chains is of this size. */
const maximumDepth = 32;
/** xt_recent keeps 100 addresses a list. */
const maximumRecent = 100;
const unknownAddress = -1;

type ChainResult = Verdict | "return" | "done";

export class PacketFilter {
  readonly #tables = new Map<TableName, Map<string, Chain>>();
  readonly #recent = new Map<string, Map<string, number>>();
  readonly surroundings: PacketSurroundings;
  #hooked: HookedTables | undefined;
  /** Connections that the present rules accept as they are, whenever they come: their walk need not be repeated. */
  readonly #untouched = new KnownFlows();
  /** The walk met a rule whose answer may differ next time. */
  #varies = false;
  /** Somebody changed rules or chains by hand, or those are gone again. */
  readonly onEdit = new Listeners();

  constructor(surroundings: PacketSurroundings) {
    this.surroundings = surroundings;
    for (const table of tableNames) this.#reset(table);
  }

  get hooked(): HookedTables | undefined {
    return this.#hooked;
  }

  /** To be set anew whenever they say something else. */
  set hooked(tables: HookedTables | undefined) {
    this.#hooked = tables;
    this.#untouched.clear();
  }

  /** Makes or replaces an own chain, or the rules of a built-in one. The array is kept; do not change it. */
  setChain(table: TableName, name: string, rules: readonly Rule[]): void {
    const builtIn = builtInChains[table].includes(name);
    this.#forget(table, name, rules);
    this.#tables.get(table)?.set(name, { policy: builtIn ? "ACCEPT" : undefined, rules, index: undefined });
    this.#untouched.clear();
  }

  /** `iptables -A` or `-I` unless this very rule is there already. */
  ensureRule(table: TableName, chain: string, rule: Rule, where: "append" | "prepend"): void {
    const rules = this.chain(table, chain) ?? [];
    if (rules.includes(rule)) return;
    this.setChain(table, chain, where === "append" ? [...rules, rule] : [rule, ...rules]);
  }

  deleteChain(table: TableName, name: string): void {
    this.#forget(table, name, []);
    this.#tables.get(table)?.delete(name);
    this.#untouched.clear();
  }

  chain(table: TableName, name: string): readonly Rule[] | undefined {
    return this.#tables.get(table)?.get(name)?.rules;
  }

  hasChain(table: TableName, name: string): boolean {
    return this.#tables.get(table)?.has(name) === true;
  }

  /** Built-in chains in the order of the kernel's hooks, then own chains by name: as printed. */
  chains(
    table: TableName,
  ): readonly { readonly name: string; readonly policy: string | undefined; readonly rules: readonly Rule[] }[] {
    const chains = this.#tables.get(table) as Map<string, Chain>;
    const own = [...chains.keys()].filter((name) => !builtInChains[table].includes(name)).sort();
    return [...builtInChains[table], ...own].map((name) => {
      const { policy, rules } = chains.get(name) as Chain;
      return { name, policy, rules };
    });
  }

  /** By somebody's hand: a chain's rules, or without rules the end of a chain. */
  edit(table: TableName, name: string, rules?: readonly Rule[]): void {
    if (rules === undefined) this.deleteChain(table, name);
    else this.setChain(table, name, rules);
    this.onEdit.tell();
  }

  /** All tables as after a boot: nobody flushed them, so nobody is told. */
  clear(): void {
    for (const table of tableNames) this.#reset(table);
    this.hooked = undefined;
  }

  /** To be called when other addresses are the machine's own than before. */
  addressesChanged(): void {
    this.#untouched.clear();
  }

  /** A connection that begins on the machine itself. Changes the packet's destination when a rule says so. */
  leavesHost(packet: Packet): Verdict {
    return this.#judge(packet, "out", () => this.#translate(packet, "OUTPUT") ?? this.#filter(packet, "OUTPUT"));
  }

  /** A connection that comes in from a pod or another machine. Changes the packet's destination when a rule says so. */
  arrives(packet: Packet): Verdict {
    return this.#judge(packet, "in", () => {
      const translated = this.#translate(packet, "PREROUTING");
      if (translated !== undefined) return translated;
      return this.#filter(packet, this.surroundings.isLocalAddress(packet.destination) ? "INPUT" : "FORWARD");
    });
  }

  /** What one table has translated, the next leaves as it is. */
  #translate(packet: Packet, hook: "PREROUTING" | "OUTPUT"): "drop" | "reject" | undefined {
    const { destination, destinationPort } = packet;
    const refusal = this.#hooked?.translate(packet, hook);
    if (refusal !== undefined) return refusal;
    const isTranslated = packet.destination !== destination || packet.destinationPort !== destinationPort;
    return isTranslated ? undefined : this.#pass(packet, "nat", hook);
  }

  #filter(packet: Packet, hook: "INPUT" | "FORWARD" | "OUTPUT"): "drop" | "reject" | undefined {
    return this.#hooked?.filter(packet, hook) ?? this.#pass(packet, "filter", hook);
  }

  /** The way out of the machine; true when the source address must be replaced by one of the machine's. */
  isMasqueraded(packet: Packet): boolean {
    this.#begin();
    const before = packet.mark;
    this.#masquerade = false;
    this.#run("nat", "POSTROUTING", packet, 0);
    packet.mark = before;
    return this.#masquerade || this.#hooked?.masquerades(packet) === true;
  }

  /** A packet without a mark is walked through the rules once, as long as they accept it as it is and stay the same. */
  #judge(packet: Packet, way: "in" | "out", walk: () => "drop" | "reject" | undefined): Verdict {
    const { destination, destinationPort } = packet;
    if (packet.mark === 0 && this.#untouched.has(way, packet)) return "accept";
    this.#begin();
    this.#varies = false;
    const refusal = walk();
    if (refusal !== undefined) return refusal;
    const isUntouched = packet.mark === 0 && packet.destination === destination && packet.destinationPort === destinationPort;
    if (isUntouched && !this.#varies) this.#untouched.add(way, packet);
    return "accept";
  }

  #masquerade = false;
  /** The packet's addresses as numbers, once a rule has asked for them. */
  #source = unknownAddress;
  #destination = unknownAddress;

  #begin(): void {
    this.#source = unknownAddress;
    this.#destination = unknownAddress;
  }

  #reset(table: TableName): void {
    if (table === "nat") this.#recent.clear();
    this.#tables.set(table, new Map());
    for (const name of builtInChains[table]) this.setChain(table, name, []);
  }

  /** undefined: go on. */
  #pass(packet: Packet, table: TableName, chain: string): "drop" | "reject" | undefined {
    const result = this.#run(table, chain, packet, 0);
    return result === "drop" || result === "reject" ? result : undefined;
  }

  #run(table: TableName, name: string, packet: Packet, depth: number): ChainResult {
    const chain = this.#tables.get(table)?.get(name);
    if (chain === undefined || depth > maximumDepth) return "return";
    if (chain.rules.length < indexFromRules) {
      for (const rule of chain.rules) {
        const result = this.#apply(table, rule, packet, depth);
        if (result !== undefined) return result;
      }
      return "return";
    }
    chain.index ??= indexOf(chain.rules);
    for (const position of candidates(chain.index, packet)) {
      const result = this.#apply(table, chain.rules[position] as Rule, packet, depth);
      if (result !== undefined) return result;
    }
    return "return";
  }

  /** undefined: the next rule is tried. */
  #apply(table: TableName, rule: Rule, packet: Packet, depth: number): ChainResult | undefined {
    if (!this.#fits(rule, packet)) return undefined;
    const { target } = rule;
    if (target === undefined) return undefined;
    switch (target.kind) {
      case "jump": {
        const result = this.#run(table, target.chain, packet, depth + 1);
        return result === "return" ? undefined : result;
      }
      case "return":
        return "return";
      case "accept":
        return "accept";
      case "drop":
        return "drop";
      case "reject":
        return "reject";
      case "mark":
        packet.mark = (packet.mark & ~target.mask) ^ target.mark;
        return undefined;
      case "destinationNat":
        packet.destination = target.address;
        this.#destination = unknownAddress;
        packet.destinationPort = target.port;
        return "done";
      case "masquerade":
        this.#masquerade = true;
        return "done";
    }
  }

  #fits(rule: Rule, packet: Packet): boolean {
    if (rule.protocol !== undefined && rule.protocol !== packet.protocol) return false;
    const { source, destination } = rule;
    if (source !== undefined) {
      if (this.#source === unknownAddress) this.#source = parseAddress(packet.source);
      if (contains(source.range, this.#source) === source.negated) return false;
    }
    if (destination !== undefined) {
      if (this.#destination === unknownAddress) this.#destination = parseAddress(packet.destination);
      if (contains(destination.range, this.#destination) === destination.negated) return false;
    }
    for (const match of rule.matches) if (!this.#matches(match, packet)) return false;
    return true;
  }

  #matches(match: Match, packet: Packet): boolean {
    switch (match.kind) {
      case "comment":
        return true;
      case "protocol":
        return match.destinationPort === undefined || match.destinationPort === packet.destinationPort;
      case "addressType":
        return this.surroundings.isLocalAddress(match.end === "source" ? packet.source : packet.destination);
      case "statistic":
        this.#varies = true;
        return this.surroundings.random.uint32() >>> 1 < match.value;
      case "recentCheck":
        this.#varies = true;
        return this.#seenSince(match.list, packet.source, match.seconds);
      case "recentSet":
        this.#varies = true;
        this.#remember(match.list, packet.source);
        return true;
      case "mark":
        return ((packet.mark & match.mark) === (match.mark | 0)) !== match.negated;
      case "state":
        return match.states.includes("NEW") !== match.negated;
    }
  }

  #seenSince(list: string, source: string, seconds: number): boolean {
    const seen = this.#recent.get(list)?.get(source);
    return seen !== undefined && this.surroundings.nowMs - seen <= seconds * 1000;
  }

  /** xt_recent frees a list with the last rule that names it: here when no rule of its chain, which changes, fills it any more. */
  #forget(table: TableName, chain: string, rules: readonly Rule[]): void {
    if (this.#recent.size === 0) return;
    const kept = listsOf(rules);
    for (const list of listsOf(this.chain(table, chain) ?? [])) if (!kept.includes(list)) this.#recent.delete(list);
  }

  #remember(list: string, source: string): void {
    const seen = this.#recent.get(list) ?? new Map<string, number>();
    this.#recent.set(list, seen);
    seen.delete(source);
    seen.set(source, this.surroundings.nowMs);
    if (seen.size > maximumRecent) seen.delete(seen.keys().next().value as string);
  }
}

/** Lists that these rules write to. */
function listsOf(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap(({ matches }) => matches.flatMap((match) => (match.kind === "recentSet" ? [match.list] : [])));
}

function indexOf(rules: readonly Rule[]): ChainIndex {
  const exact = new Map<string, number[]>();
  const byPort = new Map<number, number[]>();
  const others: number[] = [];
  rules.forEach((rule, position) => {
    const port = rule.matches.find((match) => match.kind === "protocol")?.destinationPort;
    const { destination } = rule;
    if (port === undefined) others.push(position);
    else if (destination !== undefined && !destination.negated && destination.range.prefix === 32) {
      push(exact, `${destination.text.slice(0, -3)}:${port}`, position);
    } else push(byPort, port, position);
  });
  return { exact, byPort, others };
}

function push<K>(map: Map<K, number[]>, key: K, position: number): void {
  const present = map.get(key);
  if (present === undefined) map.set(key, [position]);
  else present.push(position);
}

const nothing: readonly number[] = [];

/** Positions of rules that may fit, in order. */
function candidates(index: ChainIndex, packet: Packet): readonly number[] {
  const exact = index.exact.get(`${packet.destination}:${packet.destinationPort}`) ?? nothing;
  const byPort = index.byPort.get(packet.destinationPort) ?? nothing;
  if (exact.length === 0 && byPort.length === 0) return index.others;
  return [...exact, ...byPort, ...index.others].sort((a, b) => a - b);
}
