// One informer for each resource that a component reads, shared by all its loops.

import type { ResourceType } from "#cluster/api/objects.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { Client } from "./client.ts";
import { Informer } from "./informer.ts";
import { WatchDelays } from "./watch-delays.ts";

interface Startable {
  readonly resource: ResourceType<unknown>;
  readonly hasSynced: boolean;
  whenSynced(act: () => void): void;
  start(): void;
  stop(): void;
}

export class InformerFactory {
  readonly #simulation: Simulation;
  readonly #client: Client;
  readonly #delays: WatchDelays;
  readonly #informers = new Map<string, Startable>();
  #running = false;

  constructor(simulation: Simulation, client: Client, delays = new WatchDelays()) {
    this.#simulation = simulation;
    this.#client = client;
    this.#delays = delays;
  }

  /** The informer of a resource; made at the first call, and started with the factory or at once when that runs. */
  informer<T>(resource: ResourceType<T>): Informer<T> {
    const id = `${resource.group}/${resource.version}/${resource.plural}`;
    const known = this.#informers.get(id);
    if (known !== undefined) return known as Informer<T>;
    const made = new Informer<T>(this.#simulation, this.#client, resource, {}, this.#delays);
    this.#delays.keep(resource);
    this.#informers.set(id, made);
    if (this.#running) this.#start(made);
    return made;
  }

  /** Stops reading a kind that is no longer served. */
  forget(resource: ResourceType<unknown>): void {
    const id = `${resource.group}/${resource.version}/${resource.plural}`;
    this.#informers.get(id)?.stop();
    this.#informers.delete(id);
  }

  /** Calls `act` when the copies that lag have come, before which a component does nothing: at once where none does, never after a stop. */
  whenDelayedHaveCome(act: () => void): void {
    const delayed = this.#delays.delayed.filter((resource) => this.#client.serves(resource));
    let left = delayed.length;
    if (left === 0) act();
    for (const resource of delayed) {
      const informer = this.informer(resource);
      informer.whenSynced(() => {
        left -= 1;
        if (left === 0) act();
      });
      informer.start();
    }
  }

  start(): void {
    this.#running = true;
    for (const informer of [...this.#informers.values()]) this.#start(informer);
  }

  /** The list of a kind that the server does not have would be asked for again for ever: it stays empty. */
  #start(informer: Startable): void {
    if (this.#client.serves(informer.resource)) informer.start();
  }

  stop(): void {
    this.#running = false;
    for (const informer of this.#informers.values()) informer.stop();
  }
}
