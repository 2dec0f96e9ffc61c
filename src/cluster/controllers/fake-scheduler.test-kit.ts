// Stands in for the scheduler in tests of controllers: binds Pods in turn to the nodes given.

import type { Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { Simulation } from "#sim/simulation.ts";

export class FakeScheduler {
  readonly #nodes: readonly string[];
  readonly #client: Client;
  #next = 0;

  constructor(simulation: Simulation, client: Client, nodes: readonly string[]) {
    this.#nodes = nodes;
    this.#client = client;
    const pods = new Informer(simulation, client, kinds.pods);
    pods.addHandler((pod, _previous, deleted) => {
      const pending = !deleted && (pod.spec?.nodeName ?? "") === "" && pod.metadata.deletionTimestamp === undefined;
      if (pending) simulation.after(1, () => this.#bind(pod));
    });
    pods.start();
  }

  #bind(pod: Stored<Pod>): void {
    const name = this.#nodes[this.#next % this.#nodes.length] ?? "";
    this.#next += 1;
    try {
      this.#client.createSubresource(kinds.pods, splitKey(keyOf(pod)), "binding", {
        apiVersion: "v1",
        kind: "Binding",
        metadata: { name: pod.metadata.name, namespace: pod.metadata.namespace },
        target: { apiVersion: "v1", kind: "Node", name },
      });
    } catch (error) {
      if (!isReason(error, "NotFound") && !isReason(error, "Conflict")) throw error;
    }
  }
}
