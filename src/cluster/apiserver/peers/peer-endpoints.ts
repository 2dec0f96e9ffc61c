// Where the API servers of a cluster find each other: each has a lease of 15 s below /registry/peerserverleases in etcd, by its identity,
// which is no object of the API (apiserver's pkg/reconcilers/peer_endpoint_lease.go).

import type { Simulation } from "#sim/simulation.ts";

const durationMs = 15_000;

export class PeerEndpoints {
  readonly #simulation: Simulation;
  readonly #held = new Map<string, { readonly address: string; readonly untilMs: number }>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** `address`: `172.18.0.3:6443`. */
  renew(serverId: string, address: string): void {
    this.#held.set(serverId, { address, untilMs: this.#simulation.nowMs + durationMs });
  }

  giveUp(serverId: string): void {
    this.#held.delete(serverId);
  }

  /** Undefined for a server that is not there, or does not tell where it is. */
  addressOf(serverId: string): string | undefined {
    const held = this.#held.get(serverId);
    return held === undefined || held.untilMs <= this.#simulation.nowMs ? undefined : held.address;
  }
}
