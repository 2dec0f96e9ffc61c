// Duplex byte streams between two endpoints, with a fixed delay each way.

import type { Bytes } from "../bytes.ts";
import type { Errno } from "../errors.ts";
import type { ByteStream, Certificate, Endpoint } from "../net.ts";
import type { Simulation } from "../simulation.ts";

/** Sent and not yet taken by the other side: beyond it `write` says to wait. */
const windowBytes = 262_144;

type Item = Bytes | "end" | { readonly reset: true };

class StreamEnd implements ByteStream {
  readonly local: Endpoint;
  readonly peer: Endpoint;
  readonly peerCertificate: Certificate | undefined;
  onData: ((bytes: Bytes) => void) | undefined;
  onEnd: (() => void) | undefined;
  onDrain: (() => void) | undefined;
  onClose: ((error: Errno | undefined) => void) | undefined;
  other!: StreamEnd;
  readonly #simulation: Simulation;
  readonly #delayMs: number;
  /** Under way to this end, in order. */
  #incoming: Item[] = [];
  #incomingBytes = 0;
  #scheduled = false;
  #paused = false;
  #sentEnd = false;
  #receivedEnd = false;
  #closed = false;
  #peerWaits = false;

  constructor(simulation: Simulation, delayMs: number, local: Endpoint, peer: Endpoint, peerCertificate: Certificate | undefined) {
    this.#simulation = simulation;
    this.#delayMs = delayMs;
    this.local = local;
    this.peer = peer;
    this.peerCertificate = peerCertificate;
  }

  write(bytes: Bytes): boolean {
    if (this.#closed || this.#sentEnd) return true;
    return this.other.#receive(bytes);
  }

  end(): void {
    if (this.#closed || this.#sentEnd) return;
    this.#sentEnd = true;
    this.other.#receive("end");
    this.#closeWhenBothEnded();
  }

  destroy(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.other.#receive({ reset: true });
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#schedule();
  }

  /** False when this side is not keeping up. */
  #receive(item: Item): boolean {
    if (this.#closed) return true;
    this.#incoming.push(item);
    if (item instanceof Uint8Array) this.#incomingBytes += item.length;
    this.#schedule();
    if (this.#incomingBytes <= windowBytes && !this.#paused) return true;
    this.#peerWaits = true;
    return false;
  }

  #schedule(): void {
    if (this.#scheduled || this.#incoming.length === 0) return;
    this.#scheduled = true;
    this.#simulation.after(this.#delayMs, this.#deliver);
  }

  readonly #deliver = (): void => {
    this.#scheduled = false;
    while (this.#incoming.length > 0 && !this.#closed) {
      const first = this.#incoming[0] as Item;
      if (this.#paused && !(typeof first === "object" && "reset" in first)) break;
      this.#incoming.shift();
      this.#take(first);
    }
    if (this.#peerWaits && !this.#paused) {
      this.#peerWaits = false;
      this.other.onDrain?.();
    }
  };

  #take(item: Item): void {
    if (item instanceof Uint8Array) {
      this.#incomingBytes -= item.length;
      this.onData?.(item);
    } else if (item === "end") {
      this.#receivedEnd = true;
      this.onEnd?.();
      this.#closeWhenBothEnded();
    } else {
      this.#closed = true;
      this.#incoming = [];
      this.onClose?.("ECONNRESET");
    }
  }

  #closeWhenBothEnded(): void {
    if (!this.#sentEnd || !this.#receivedEnd || this.#closed) return;
    this.#closed = true;
    this.onClose?.(undefined);
  }
}

/** The client's and the server's end of a connection. */
export function createStreamPair(
  simulation: Simulation,
  options: {
    readonly client: Endpoint;
    readonly server: Endpoint;
    readonly delayMs?: number;
    readonly clientCertificate?: Certificate | undefined;
    readonly serverCertificate?: Certificate | undefined;
  },
): { readonly client: ByteStream; readonly server: ByteStream } {
  const delayMs = options.delayMs ?? 0;
  const client = new StreamEnd(simulation, delayMs, options.client, options.server, options.serverCertificate);
  const server = new StreamEnd(simulation, delayMs, options.server, options.client, options.clientCertificate);
  client.other = server;
  server.other = client;
  return { client, server };
}
