// An API server's calls to webhooks: a cluster has none before a client's program brings one, so what makes them comes with those.

import type { Store } from "#cluster/storage/store.ts";
import { once } from "#sim/late.ts";
import type { NetworkStack } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import { lateDynamicPlugins } from "../dynamic-plugins.ts";
import type { WebhookCalls } from "./webhook-calls.ts";

export class WebhookHost {
  readonly calls: () => WebhookCalls;
  /** Of the machine that the server runs on. */
  network: NetworkStack | undefined;

  /** `nextId`: of a review. */
  constructor(simulation: Simulation, store: Store, nextId: () => string) {
    const parts = { simulation, store, nextId, network: () => this.network };
    this.calls = once(() => new lateDynamicPlugins.code.WebhookCalls(parts));
  }
}
