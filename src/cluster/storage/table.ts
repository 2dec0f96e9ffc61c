// One resource's objects, in the order of their keys (as etcd keeps them), with the history that watches start from.

import type { KubeObject } from "#cluster/api/objects.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { StoreEvent } from "./events.ts";

interface Entry {
  readonly key: string;
  object: KubeObject;
  deleted: boolean;
  /** Of its first write, and how many there were since. */
  readonly createRevision: number;
  version: number;
}

/** An object with what etcd knows of it beside its value. */
export type StoredEntry = Readonly<Omit<Entry, "deleted">>;

export class Table {
  /** `pods`, `deployments.apps`: the name that storage keys and metrics use. */
  readonly resource: string;
  readonly #entries = new Map<string, Entry>();
  /** In the order of keys but for what was added since the last read, which waits in `#added`. */
  #sorted: Entry[] = [];
  #added: Entry[] = [];
  /** Entries in the two lists that are gone: they are taken out at the next read. */
  #gone = 0;
  /** The revision of the latest write to this table; 0 before the first. */
  revision = 0;
  #history: StoreEvent[] = [];
  #historyStart = 0;

  constructor(resource: string) {
    this.resource = resource;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): KubeObject | undefined {
    return this.#entries.get(key)?.object;
  }

  entry(key: string): StoredEntry | undefined {
    return this.#entries.get(key);
  }

  /** All objects, or those of one namespace, in key order. */
  list(namespace: string): KubeObject[] {
    const sorted = this.#inOrder();
    if (namespace === "") return sorted.map((entry) => entry.object);
    const prefix = `${namespace}/`;
    const result: KubeObject[] = [];
    for (let index = positionOf(sorted, prefix); index < sorted.length; index += 1) {
      const entry = sorted[index] as Entry;
      if (!entry.key.startsWith(prefix)) break;
      result.push(entry.object);
    }
    return result;
  }

  /** All objects, in key order. */
  get entries(): readonly StoredEntry[] {
    return this.#inOrder();
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
    for (const entry of this.#inOrder()) if (!undone.has(entry.key)) states.set(entry.key, entry.object);
    for (const [key, object] of undone) if (object !== undefined) states.set(key, object);
    const prefix = namespace === "" ? "" : `${namespace}/`;
    const keys = [...states.keys()].filter((key) => key.startsWith(prefix)).sort(compareTexts);
    return keys.map((key) => states.get(key) as KubeObject);
  }

  /** Applies one write; the store has decided its revision. */
  apply(event: StoreEvent): void {
    const existing = this.#entries.get(event.key);
    if (event.deleted) this.#remove(existing);
    else if (existing !== undefined) {
      existing.object = event.object;
      existing.version += 1;
    } else this.#insert({ key: event.key, object: event.object, deleted: false, createRevision: event.revision, version: 1 });
    this.#history.push(event);
    this.revision = event.revision;
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
    this.#entries.set(entry.key, entry);
    const last = this.#sorted.at(-1);
    if (this.#added.length === 0 && (last === undefined || last.key < entry.key)) this.#sorted.push(entry);
    else this.#added.push(entry);
  }

  #remove(entry: Entry | undefined): void {
    if (entry === undefined) return;
    this.#entries.delete(entry.key);
    entry.deleted = true;
    this.#gone += 1;
  }

  /** Writes are many and reads of whole tables few: the order is made when somebody reads. */
  #inOrder(): readonly Entry[] {
    if (this.#added.length === 0 && this.#gone === 0) return this.#sorted;
    const added = this.#added.filter(isThere).sort((a, b) => compareTexts(a.key, b.key));
    this.#sorted = merged(this.#gone === 0 ? this.#sorted : this.#sorted.filter(isThere), added);
    this.#added = [];
    this.#gone = 0;
    return this.#sorted;
  }
}

function isThere(entry: Entry): boolean {
  return !entry.deleted;
}

/** Two sorted lists as one. */
function merged(left: Entry[], right: readonly Entry[]): Entry[] {
  if (right.length === 0) return left;
  const result: Entry[] = [];
  let next = 0;
  for (const entry of left) {
    while (next < right.length && (right[next] as Entry).key < entry.key) result.push(right[next++] as Entry);
    result.push(entry);
  }
  while (next < right.length) result.push(right[next++] as Entry);
  return result;
}

/** Index of the first entry whose key is not smaller. */
function positionOf(sorted: readonly Entry[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as Entry).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
