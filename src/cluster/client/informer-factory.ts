// One informer for each resource that a component reads, shared by all its loops.

import type { ResourceType } from "#cluster/api/objects.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { Client } from "./client.ts";
import { Informer } from "./informer.ts";

interface Startable {
  readonly resource: ResourceType<unknown>;
  readonly hasSynced: boolean;
  start(): void;
  stop(): void;
}

export class InformerFactory {
  readonly #simulation: Simulation;
  readonly #client: Client;
  readonly #informers = new Map<string, Startable>();
  #running = false;

  constructor(simulation: Simulation, client: Client) {
    this.#simulation = simulation;
    this.#client = client;
  }

  /** The informer of a resource; made at the first call, and started with the factory or at once when that runs. */
  informer<T>(resource: ResourceType<T>): Informer<T> {
    const id = `${resource.group}/${resource.version}/${resource.plural}`;
    const known = this.#informers.get(id);
    if (known !== undefined) return known as Informer<T>;
    const made = new Informer<T>(this.#simulation, this.#client, resource);
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

  get haveSynced(): boolean {
    for (const informer of this.#informers.values()) if (!informer.hasSynced) return false;
    return true;
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
