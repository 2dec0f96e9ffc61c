// Which servers of the cluster are there: each has a lease of 15 s below /registry/masterleases in etcd, which is no object of the
// API. From them follow the endpoints of the Service `kubernetes` (pkg/controlplane/reconcilers, the lease reconciler).

import type { Simulation } from "#sim/simulation.ts";

const durationMs = 15_000;

export class ServerLeases {
  readonly #simulation: Simulation;
  readonly #untilMs = new Map<string, number>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  renew(address: string): void {
    this.#untilMs.set(address, this.#simulation.nowMs + durationMs);
  }

  giveUp(address: string): void {
    this.#untilMs.delete(address);
  }

  /** Addresses of those whose lease has not run out, in the order of their texts. */
  get addresses(): readonly string[] {
    const { nowMs } = this.#simulation;
    return [...this.#untilMs]
      .filter(([, untilMs]) => untilMs > nowMs)
      .map(([address]) => address)
      .sort();
  }
}
