// Which listener has which port of a network namespace.

import { SysError } from "../errors.ts";
import type { Listening, ListenOptions, LocalPorts } from "../net.ts";

const anyAddress = "0.0.0.0";
/** Linux's default net.ipv4.ip_local_port_range. */
const firstEphemeral = 32_768;
const lastEphemeral = 60_999;

/** One listener; closing it twice is without effect. */
class PortEntry implements Listening {
  readonly port: number;
  readonly options: ListenOptions;
  readonly #table: PortTable;

  constructor(table: PortTable, port: number, options: ListenOptions) {
    this.#table = table;
    this.port = port;
    this.options = options;
  }

  get address(): string | undefined {
    return this.options.address;
  }

  close(): void {
    this.#table.remove(this);
  }
}

export class PortTable {
  /** Few: a namespace has a handful of listeners. */
  #entries: readonly PortEntry[] = [];
  #nextEphemeral = firstEphemeral;
  readonly #owner: { readonly localPorts?: LocalPorts | undefined };

  constructor(owner: { readonly localPorts?: LocalPorts | undefined }) {
    this.#owner = owner;
  }

  /** Throws EADDRINUSE. Port 0 takes a free one. */
  listen(options: ListenOptions): Listening {
    const port = options.port === 0 ? this.#freePort() : options.port;
    const taken = this.#entries.some((entry) => entry.port === port && overlap(entry.options.address, options.address));
    if (taken) throw new SysError("EADDRINUSE");
    const entry = new PortEntry(this, port, options);
    this.#entries = this.#entries.concat(entry);
    return entry;
  }

  find(address: string, port: number): ListenOptions | undefined {
    for (const entry of this.#entries) {
      if (entry.port === port && overlap(entry.options.address, address)) return entry.options;
    }
    return undefined;
  }

  /** In the order in which they began. */
  get entries(): readonly Listening[] {
    return this.#entries;
  }

  /** Ports with a listener, ascending. */
  ports(): readonly number[] {
    return [...new Set(this.#entries.map(({ port }) => port))].sort((a, b) => a - b);
  }

  remove(entry: PortEntry): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
  }

  /** A source port for a connection. */
  ephemeral(): number {
    const { first = firstEphemeral, last = lastEphemeral, reserved } = this.#owner.localPorts ?? {};
    const following = (port: number) => (port >= last || port < first ? first : port + 1);
    let port = this.#nextEphemeral;
    if (port < first || port > last) port = first;
    for (let tried = first; tried < last && reserved?.has(port) === true; tried += 1) port = following(port);
    this.#nextEphemeral = following(port);
    return port;
  }

  #freePort(): number {
    for (let tried = firstEphemeral; tried <= lastEphemeral; tried += 1) {
      const port = this.ephemeral();
      if (this.#entries.every((entry) => entry.port !== port)) return port;
    }
    throw new SysError("EADDRINUSE");
  }
}

function overlap(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === anyAddress || other === anyAddress || one === other;
}
