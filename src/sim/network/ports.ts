// Which listener has which port of a network namespace.

import { SysError } from "../errors.ts";
import type { Listening, ListenOptions } from "../net.ts";

const anyAddress = "0.0.0.0";
/** Linux's default net.ipv4.ip_local_port_range. */
const firstEphemeral = 32_768;
const lastEphemeral = 60_999;

export class PortTable {
  readonly #listeners = new Map<number, ListenOptions[]>();
  #nextEphemeral = firstEphemeral;

  /** Throws EADDRINUSE. Port 0 takes a free one. */
  listen(options: ListenOptions): Listening {
    const port = options.port === 0 ? this.#freePort() : options.port;
    const entry: ListenOptions = options.port === 0 ? { ...options, port } : options;
    const present = this.#listeners.get(port) ?? [];
    if (present.some((other) => overlap(other.address, entry.address))) throw new SysError("EADDRINUSE");
    this.#listeners.set(port, [...present, entry]);
    return { port, close: () => this.#remove(port, entry) };
  }

  find(address: string, port: number): ListenOptions | undefined {
    return this.#listeners.get(port)?.find((entry) => overlap(entry.address, address));
  }

  /** Ports with a listener, ascending. */
  ports(): readonly number[] {
    return [...this.#listeners.keys()].sort((a, b) => a - b);
  }

  /** A source port for a connection. */
  ephemeral(): number {
    const port = this.#nextEphemeral;
    this.#nextEphemeral = port === lastEphemeral ? firstEphemeral : port + 1;
    return port;
  }

  #freePort(): number {
    for (let tried = firstEphemeral; tried <= lastEphemeral; tried += 1) {
      const port = this.ephemeral();
      if (!this.#listeners.has(port)) return port;
    }
    throw new SysError("EADDRINUSE");
  }

  #remove(port: number, entry: ListenOptions): void {
    const left = (this.#listeners.get(port) ?? []).filter((other) => other !== entry);
    if (left.length === 0) this.#listeners.delete(port);
    else this.#listeners.set(port, left);
  }
}

function overlap(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === anyAddress || other === anyAddress || one === other;
}
