// One table of nftables, of family ip, and what its chains do with packets.

import { contains, parseAddress } from "../../addresses.ts";
import type { Packet } from "../packet.ts";
import type { HookedTables, PacketSurroundings } from "../packet-filter.ts";
import {
  type End,
  type NftBase,
  type NftChain,
  type NftMap,
  type NftMatch,
  type NftRule,
  type NftSet,
  type NftStatement,
  type NftTarget,
  nodePortKey,
  serviceKey,
} from "./nft-rules.ts";

/** `accept` ends a hook's chain, not the hook. */
type Result = "accept" | "drop" | "reject" | "masquerade" | "return";

/** The priority of translation; chains of the same hook that come later see what it made of a packet. */
const translation = -100;
const maximumDepth = 16;

export class NftTable implements HookedTables {
  readonly name: string;
  readonly comment: string;
  readonly #surroundings: PacketSurroundings;
  /** In the order in which they were made, as they are printed. */
  readonly sets = new Map<string, NftSet>();
  readonly maps = new Map<string, NftMap>();
  readonly chains = new Map<string, NftChain>();

  constructor(name: string, comment: string, surroundings: PacketSurroundings) {
    this.name = name;
    this.comment = comment;
    this.#surroundings = surroundings;
  }

  get nowMs(): number {
    return this.#surroundings.nowMs;
  }

  translate(packet: Packet, hook: "PREROUTING" | "OUTPUT"): "drop" | "reject" | undefined {
    const chains = this.#hooked(hook === "OUTPUT" ? "output" : "prerouting");
    return this.#walk(
      chains.filter(([, { priority }]) => priority <= translation),
      packet,
    );
  }

  filter(packet: Packet, hook: "INPUT" | "FORWARD" | "OUTPUT"): "drop" | "reject" | undefined {
    const names = { INPUT: "input", FORWARD: "forward", OUTPUT: "output" } as const;
    return this.#walk(
      this.#hooked(names[hook]).filter(([, { priority }]) => priority > translation),
      packet,
    );
  }

  masquerades(packet: Packet): boolean {
    const before = packet.mark;
    const results = this.#hooked("postrouting").map(([name]) => this.#run(name, packet, 0));
    packet.mark = before;
    return results.includes("masquerade");
  }

  #hooked(hook: NftBase["hook"]): readonly (readonly [name: string, base: NftBase])[] {
    return [...this.chains]
      .flatMap(([name, { base }]): (readonly [string, NftBase])[] => (base?.hook === hook ? [[name, base]] : []))
      .sort(([, a], [, b]) => a.priority - b.priority);
  }

  #walk(chains: readonly (readonly [name: string, base: NftBase])[], packet: Packet): "drop" | "reject" | undefined {
    for (const [name] of chains) {
      const result = this.#run(name, packet, 0);
      if (result === "drop" || result === "reject") return result;
    }
    return undefined;
  }

  #run(name: string, packet: Packet, depth: number): Result {
    if (depth > maximumDepth) return "return";
    for (const rule of this.chains.get(name)?.rules ?? []) {
      const result = this.#apply(rule, packet, depth);
      if (result !== undefined) return result;
    }
    return "return";
  }

  /** undefined: the next rule is tried. */
  #apply({ matches, statements }: NftRule, packet: Packet, depth: number): Result | undefined {
    if (!matches.every((match) => this.#matches(match, packet))) return undefined;
    for (const statement of statements) {
      const result = this.#act(statement, packet, depth);
      if (result !== undefined) return result;
    }
    return undefined;
  }

  #act(statement: NftStatement, packet: Packet, depth: number): Result | undefined {
    switch (statement.kind) {
      case "jump": {
        const result = this.#run(statement.chain, packet, depth + 1);
        return result === "return" ? undefined : result;
      }
      case "goto":
        // It comes back to whoever jumped to where it was said.
        return this.#run(statement.chain, packet, depth + 1);
      case "drop":
      case "reject":
      case "masquerade":
        return statement.kind;
      case "mark":
        packet.mark = statement.operator === "|" ? packet.mark | statement.mark : packet.mark ^ statement.mark;
        return undefined;
      case "lookup": {
        const { destination, destinationPort, protocol } = packet;
        const key =
          statement.key === "service" ? serviceKey(destination, protocol, destinationPort) : nodePortKey(protocol, destinationPort);
        const found = this.maps.get(statement.map)?.elements.get(key);
        return found === undefined ? undefined : this.#act(found.verdict, packet, depth);
      }
      case "pickChain":
        return this.#run(this.#pick(statement.chains), packet, depth + 1);
      case "pickTarget":
        return translated(packet, this.#pick(statement.targets));
      case "translate":
        return translated(packet, statement.target);
      case "update": {
        const set = this.sets.get(statement.set);
        set?.elements.set(packet.source, this.nowMs + (set.timeoutMs ?? Number.POSITIVE_INFINITY));
        return undefined;
      }
    }
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#surroundings.random.below(from.length)] as T;
  }

  #matches(match: NftMatch, packet: Packet): boolean {
    switch (match.kind) {
      case "new":
        return true;
      case "translated":
        return packet.isTranslated === true;
      case "address": {
        const address = parseAddress(addressAt(packet, match.end));
        return match.ranges.some(({ range }) => contains(range, address)) !== match.negated;
      }
      case "member":
        return this.#has(match.set, addressAt(packet, match.end));
      case "connection":
        return this.#has(
          match.set,
          `${packet.source} . ${serviceKey(packet.destination, packet.protocol, packet.destinationPort)}`,
        );
      case "local":
        return this.#surroundings.isLocalAddress(addressAt(packet, match.end));
      case "protocol":
        return packet.protocol === match.protocol;
      case "marked":
        return (packet.mark & match.mark) !== 0;
    }
  }

  #has(set: string, element: string): boolean {
    const elements = this.sets.get(set)?.elements;
    return elements?.has(element) === true && (elements.get(element) ?? Number.POSITIVE_INFINITY) > this.nowMs;
  }
}

function addressAt({ source, destination }: Packet, end: End): string {
  return end === "source" ? source : destination;
}

function translated(packet: Packet, { address, port }: NftTarget): "accept" {
  packet.destination = address;
  packet.destinationPort = port;
  packet.isTranslated = true;
  return "accept";
}
