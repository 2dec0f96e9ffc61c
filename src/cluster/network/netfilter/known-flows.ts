// Connections that were judged before. Every probe and every scrape asks for one, so that no text is put together to ask by.

import type { Packet } from "./packet.ts";

const protocols = { tcp: 0, udp: 1, sctp: 2, icmp: 3 } as const;
const maximumFlows = 1_000;

export class KnownFlows {
  /** By source, then by destination: way, protocol and port in one number. */
  readonly #ends = new Map<string, Map<string, Set<number>>>();
  #size = 0;

  has(way: "in" | "out", packet: Packet): boolean {
    return this.#ends.get(packet.source)?.get(packet.destination)?.has(kindOf(way, packet)) === true;
  }

  /** Forgets all others when there are too many. */
  add(way: "in" | "out", packet: Packet): void {
    if (this.#size >= maximumFlows) this.clear();
    this.#size += 1;
    const { source, destination } = packet;
    const kind = kindOf(way, packet);
    const destinations = this.#ends.get(source);
    const kinds = destinations?.get(destination);
    if (kinds !== undefined) kinds.add(kind);
    else if (destinations !== undefined) destinations.set(destination, new Set([kind]));
    else this.#ends.set(source, new Map([[destination, new Set([kind])]]));
  }

  clear(): void {
    this.#ends.clear();
    this.#size = 0;
  }
}

function kindOf(way: "in" | "out", { destinationPort, protocol }: Packet): number {
  return destinationPort * 8 + protocols[protocol] * 2 + (way === "in" ? 0 : 1);
}
