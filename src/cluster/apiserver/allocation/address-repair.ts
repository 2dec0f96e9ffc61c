// Looks after Services and IPAddresses that should name one another: each when it is written, and all of them every three minutes
// (pkg/registry/core/service/ipallocator/controller, RepairIPAddress). What is done stands in `repairs.ts`, which comes with clients'
// programs: without them nobody takes an IPAddress away.

import * as kinds from "#cluster/api/kinds.ts";
import { qualifiedResource } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { lateRequests } from "../late-requests.ts";

const intervalMs = 180_000;

export interface RepairOptions {
  readonly simulation: Simulation;
  readonly store: Store;
  /** Of the server itself. */
  readonly client: Client;
  /** Name of the host that the server runs on. */
  readonly hostname: string;
}

export class AddressRepair {
  readonly #options: RepairOptions;
  #subscriptions: readonly { stop(): void }[] = [];
  #timer: Timer | undefined;

  constructor(options: RepairOptions) {
    this.#options = options;
  }

  start(): void {
    const options = this.#options;
    this.#subscriptions = [
      this.#follow(kinds.services, (key) => lateRequests.code.repairService(options, key)),
      this.#follow(kinds.ipAddresses, (key) => lateRequests.code.repairAddress(options, key)),
    ];
    this.#lookAtAll();
  }

  stop(): void {
    for (const subscription of this.#subscriptions) subscription.stop();
    this.#options.simulation.cancel(this.#timer);
  }

  #lookAtAll(): void {
    const { simulation } = this.#options;
    this.#timer = simulation.after(intervalMs, () => this.#lookAtAll(), { background: true });
    if (lateRequests.isThere) lateRequests.code.repairAll(this.#options);
  }

  #follow(type: Parameters<typeof qualifiedResource>[0], repair: (key: string) => void): { stop(): void } {
    const { store } = this.#options;
    return store.watches.subscribe({
      table: store.table(qualifiedResource(type)),
      interest: undefined,
      onStart: () => undefined,
      onEvent: ({ key, deleted }) => {
        if (!deleted && lateRequests.isThere) repair(key);
      },
    });
  }
}
