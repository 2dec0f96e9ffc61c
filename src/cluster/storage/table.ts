// One resource's objects, in the order of their keys (as etcd keeps them), with the history that watches start from.

import type { KubeObject } from "#cluster/api/objects.ts";
import type { StoreEvent } from "./events.ts";

interface Entry {
  readonly key: string;
  object: KubeObject;
}

export class Table {
  /** `pods`, `deployments.apps`: the name that storage keys and metrics use. */
  readonly resource: string;
  readonly #entries = new Map<string, Entry>();
  readonly #sorted: Entry[] = [];
  #history: StoreEvent[] = [];
  #historyStart = 0;

  constructor(resource: string) {
    this.resource = resource;
  }

  get size(): number {
    return this.#sorted.length;
  }

  get(key: string): KubeObject | undefined {
    return this.#entries.get(key)?.object;
  }

  /** All objects, or those of one namespace, in key order. */
  list(namespace: string): KubeObject[] {
    if (namespace === "") return this.#sorted.map((entry) => entry.object);
    const prefix = `${namespace}/`;
    const result: KubeObject[] = [];
    for (let index = this.#position(prefix); index < this.#sorted.length; index += 1) {
      const entry = this.#sorted[index] as Entry;
      if (!entry.key.startsWith(prefix)) break;
      result.push(entry.object);
    }
    return result;
  }

  /**
   * The objects as they were at `revision`, by undoing what happened since. The caller has made sure that the history
   * reaches back that far.
   */
  listAt(namespace: string, revision: number): KubeObject[] {
    const undone = new Map<string, KubeObject | undefined>();
    for (let index = this.#history.length - 1; index >= this.#historyStart; index -= 1) {
      const event = this.#history[index] as StoreEvent;
      if (event.revision <= revision) break;
      undone.set(event.key, event.previous);
    }
    if (undone.size === 0) return this.list(namespace);
    const states = new Map<string, KubeObject>();
    for (const entry of this.#sorted) if (!undone.has(entry.key)) states.set(entry.key, entry.object);
    for (const [key, object] of undone) if (object !== undefined) states.set(key, object);
    const prefix = namespace === "" ? "" : `${namespace}/`;
    const keys = [...states.keys()].filter((key) => key.startsWith(prefix)).sort(compareKeys);
    return keys.map((key) => states.get(key) as KubeObject);
  }

  /** Applies one write; the store has decided its revision. */
  apply(event: StoreEvent): void {
    if (event.deleted) {
      this.#entries.delete(event.key);
      this.#sorted.splice(this.#position(event.key), 1);
    } else {
      const existing = this.#entries.get(event.key);
      if (existing !== undefined) existing.object = event.object;
      else {
        const entry = { key: event.key, object: event.object };
        this.#entries.set(event.key, entry);
        this.#insert(entry);
      }
    }
    this.#history.push(event);
  }

  /** Events after `revision`, oldest first. */
  eventsAfter(revision: number): StoreEvent[] {
    let index = this.#history.length;
    while (index > this.#historyStart && (this.#history[index - 1] as StoreEvent).revision > revision) index -= 1;
    return this.#history.slice(index);
  }

  /** Forgets events up to and including `revision`. */
  compact(revision: number): void {
    let index = this.#historyStart;
    while (index < this.#history.length && (this.#history[index] as StoreEvent).revision <= revision) index += 1;
    this.#historyStart = index;
    if (index > 0 && index * 2 >= this.#history.length) {
      this.#history = this.#history.slice(index);
      this.#historyStart = 0;
    }
  }

  #insert(entry: Entry): void {
    const last = this.#sorted.at(-1);
    if (last === undefined || last.key < entry.key) this.#sorted.push(entry);
    else this.#sorted.splice(this.#position(entry.key), 0, entry);
  }

  /** Index of the first entry whose key is not smaller. */
  #position(key: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] as Entry).key < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
