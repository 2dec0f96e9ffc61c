// Hands every write to those who watch. Delivery is asynchronous but at the same virtual time: one callback of the
// simulation delivers everything that was written meanwhile, in the order of revisions, whoever watches it.

import type { KubeObject } from "#cluster/api/objects.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { StoreEvent } from "./events.ts";
import type { Table } from "./table.ts";

/** What a watcher wants to be asked about: objects whose indexed field has this value, or everything. */
export interface WatchInterest {
  /** One of the table's indexed fields, such as `spec.nodeName`. */
  readonly field: string;
  readonly value: string;
}

export interface StoreWatcher {
  readonly table: Table;
  /** Narrows whom the hub asks; the watcher still filters. */
  readonly interest: WatchInterest | undefined;
  /** Called once, before any event, in its turn of the queue. */
  onStart(): void;
  onEvent(event: StoreEvent): void;
}

export type FieldReader = (object: KubeObject) => string;

interface Subscription {
  readonly watcher: StoreWatcher;
  active: boolean;
  /** Events that were still queued at the start are part of the watcher's initial state. */
  started: boolean;
}

interface TableWatchers {
  readonly all: Set<Subscription>;
  /** By indexed field, then value. */
  readonly indexed: Map<string, Map<string, Set<Subscription>>>;
  readonly readers: ReadonlyMap<string, FieldReader>;
}

type Delivery = { readonly table: Table; readonly event: StoreEvent } | { readonly start: Subscription };

export class WatchHub {
  readonly #simulation: Simulation;
  readonly #tables = new Map<Table, TableWatchers>();
  readonly #readers = new Map<Table, ReadonlyMap<string, FieldReader>>();
  #queue: Delivery[] = [];
  #scheduled = false;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** Declares which fields of a table watchers may be indexed by. */
  indexBy(table: Table, readers: ReadonlyMap<string, FieldReader>): void {
    this.#readers.set(table, readers);
  }

  isIndexed(table: Table, field: string): boolean {
    return this.#readers.get(table)?.has(field) === true;
  }

  subscribe(watcher: StoreWatcher): { stop(): void } {
    const subscription: Subscription = { watcher, active: true, started: false };
    this.#setFor(watcher).add(subscription);
    this.#enqueue({ start: subscription });
    return {
      stop: () => {
        subscription.active = false;
        this.#setFor(watcher).delete(subscription);
      },
    };
  }

  /** Number of active watches on a table. */
  count(table: Table): number {
    const watchers = this.#tables.get(table);
    if (watchers === undefined) return 0;
    let total = watchers.all.size;
    for (const values of watchers.indexed.values()) for (const set of values.values()) total += set.size;
    return total;
  }

  publish(table: Table, event: StoreEvent): void {
    if (this.#tables.has(table)) this.#enqueue({ table, event });
  }

  #enqueue(delivery: Delivery): void {
    this.#queue.push(delivery);
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#simulation.after(0, () => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    const deliveries = this.#queue;
    this.#queue = [];
    let done = 0;
    try {
      for (const delivery of deliveries) {
        done += 1;
        if ("start" in delivery) this.#start(delivery.start);
        else this.#deliver(delivery.table, delivery.event);
      }
    } finally {
      // A watcher that throws ends this callback; what it kept from the others follows in the next.
      if (done < deliveries.length) {
        this.#queue = [...deliveries.slice(done), ...this.#queue];
        if (!this.#scheduled) {
          this.#scheduled = true;
          this.#simulation.after(0, () => this.#flush());
        }
      }
    }
  }

  #start(subscription: Subscription): void {
    if (!subscription.active) return;
    subscription.started = true;
    subscription.watcher.onStart();
  }

  #deliver(table: Table, event: StoreEvent): void {
    const watchers = this.#tables.get(table);
    if (watchers === undefined) return;
    deliverTo(watchers.all, event);
    for (const [field, values] of watchers.indexed) {
      if (values.size === 0) continue;
      const read = watchers.readers.get(field) as FieldReader;
      const value = read(event.object);
      const interested = values.get(value);
      if (interested !== undefined) deliverTo(interested, event);
      const before = event.previous === undefined ? value : read(event.previous);
      if (before === value) continue;
      const left = values.get(before);
      if (left !== undefined) deliverTo(left, event);
    }
  }

  #setFor(watcher: StoreWatcher): Set<Subscription> {
    const { table, interest } = watcher;
    let watchers = this.#tables.get(table);
    if (watchers === undefined) {
      watchers = { all: new Set(), indexed: new Map(), readers: this.#readers.get(table) ?? new Map() };
      this.#tables.set(table, watchers);
    }
    if (interest === undefined) return watchers.all;
    let values = watchers.indexed.get(interest.field);
    if (values === undefined) {
      values = new Map();
      watchers.indexed.set(interest.field, values);
    }
    let set = values.get(interest.value);
    if (set === undefined) {
      set = new Set();
      values.set(interest.value, set);
    }
    return set;
  }
}

function deliverTo(subscriptions: ReadonlySet<Subscription>, event: StoreEvent): void {
  for (const subscription of subscriptions) {
    if (subscription.started && subscription.active) subscription.watcher.onEvent(event);
  }
}
