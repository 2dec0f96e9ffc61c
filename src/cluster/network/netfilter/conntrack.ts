// The flows of datagrams that a machine remembers (nf_conntrack): the rules judge the first of a flow, the others go the
// same way, and answers are changed back.

import type { Simulation } from "#sim/simulation.ts";
import type { Packet } from "./packet.ts";
import type { Verdict } from "./packet-filter.ts";

interface Tuple {
  readonly source: string;
  readonly sourcePort: number;
  readonly destination: string;
  readonly destinationPort: number;
}

export interface Flow {
  readonly original: Tuple;
  /** What answers look like when they come. */
  readonly reply: Tuple;
  readonly sinceMs: number;
  readonly isAnswered: boolean;
  readonly expiresMs: number;
}

type Entry = { -readonly [field in keyof Flow]: Flow[field] };

/** nf_conntrack_udp_timeout */
const timeoutMs = 30_000;
/** nf_conntrack_udp_timeout_stream: both sides have spoken, for longer than two seconds. */
const streamTimeoutMs = 120_000;
const streamAfterMs = 2_000;
const firstPort = 1024;
const lastPort = 65_535;

export class Conntrack {
  readonly #simulation: Simulation;
  /** Each flow twice: by both of its tuples. */
  readonly #entries = new Map<string, Entry>();
  #sweepAt = 64;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** What is remembered at this moment, in the order in which it began. */
  flows(): readonly Flow[] {
    const { nowMs } = this.#simulation;
    return [...new Set(this.#entries.values())].filter(({ expiresMs }) => expiresMs > nowMs);
  }

  delete(flow: Flow): void {
    this.#entries.delete(keyOf(flow.original));
    this.#entries.delete(keyOf(flow.reply));
  }

  /** Asks the rules for the first of a flow; changes the others, and answers, as they changed that one. */
  judge(packet: Packet, walk: () => Verdict): Verdict {
    const original = tupleOf(packet);
    const key = keyOf(original);
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.expiresMs > this.#simulation.nowMs) {
      this.#goesOn(entry, packet, key);
      return "accept";
    }
    if (entry !== undefined) this.delete(entry);
    packet.flow = { isKnown: false, confirm: () => this.#remember(original, packet) };
    return walk();
  }

  #goesOn(entry: Entry, packet: Packet, key: string): void {
    const { nowMs } = this.#simulation;
    const isReply = key === keyOf(entry.reply);
    const other = isReply ? entry.original : entry.reply;
    packet.source = other.destination;
    packet.sourcePort = other.destinationPort;
    packet.destination = other.source;
    packet.destinationPort = other.sourcePort;
    packet.flow = { isKnown: true, confirm: () => {} };
    if (isReply) entry.isAnswered = true;
    const isStream = entry.isAnswered && nowMs - entry.sinceMs > streamAfterMs;
    entry.expiresMs = nowMs + (isStream ? streamTimeoutMs : timeoutMs);
  }

  #remember(original: Tuple, packet: Packet): void {
    const { nowMs } = this.#simulation;
    packet.sourcePort = this.#freePort(packet);
    const { source, sourcePort, destination, destinationPort } = tupleOf(packet);
    const reply = { source: destination, sourcePort: destinationPort, destination: source, destinationPort: sourcePort };
    const entry: Entry = { original, reply, sinceMs: nowMs, isAnswered: false, expiresMs: nowMs + timeoutMs };
    this.#entries.set(keyOf(original), entry);
    this.#entries.set(keyOf(reply), entry);
    if (this.#entries.size >= this.#sweepAt) this.#sweep();
  }

  /** Its own, unless another flow's answers would look the same. */
  #freePort({ source, sourcePort = 0, destination, destinationPort }: Packet): number {
    for (let port = sourcePort, tried = firstPort; tried <= lastPort; tried += 1, port = port >= lastPort ? firstPort : port + 1) {
      const reply = { source: destination, sourcePort: destinationPort, destination: source, destinationPort: port };
      const other = this.#entries.get(keyOf(reply));
      if (other === undefined || other.expiresMs <= this.#simulation.nowMs) return port;
    }
    return sourcePort;
  }

  #sweep(): void {
    const { nowMs } = this.#simulation;
    for (const [key, { expiresMs }] of this.#entries) if (expiresMs <= nowMs) this.#entries.delete(key);
    this.#sweepAt = Math.max(64, this.#entries.size * 2);
  }
}

function tupleOf({ source, sourcePort = 0, destination, destinationPort }: Packet): Tuple {
  return { source, sourcePort, destination, destinationPort };
}

function keyOf({ source, sourcePort, destination, destinationPort }: Tuple): string {
  return `${source}:${sourcePort}>${destination}:${destinationPort}`;
}
