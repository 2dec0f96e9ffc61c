// A local copy of one resource, kept by one list and one watch, as client-go's shared informer keeps it. Components read
// from here, never from the server, and learn of changes through handlers.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import { keyOf, type ResourceType, type Stored } from "#cluster/api/objects.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import type { Client, Watch, WatchEvent } from "./client.ts";
import { DelayLine, WatchDelays } from "./watch-delays.ts";

/** `previous` is undefined for additions; for removals `deleted` is true and `object` is the last known state. */
interface Change<T> {
  object: Stored<T>;
  readonly previous: Stored<T> | undefined;
  readonly deleted: boolean;
}

export type ChangeHandler<T> = (object: Stored<T>, previous: Stored<T> | undefined, deleted: boolean) => void;

/** The values under which an object is found by `byIndex`. */
export type IndexFunction<T> = (object: Stored<T>) => readonly string[];

export interface InformerOptions {
  /** "" or absent: all namespaces. */
  readonly namespace?: string;
  readonly fieldSelector?: string;
}

/** Nobody delays anything. */
const noDelays = new WatchDelays();

/** An object's place in the copy, shared by all indices: what changes and keeps its index values is found by its key alone. */
interface Entry<T> {
  object: Stored<T>;
}

type Entries<T> = Map<string, Entry<T>>;

interface Index<T> {
  readonly values: IndexFunction<T>;
  readonly buckets: Map<string, Entries<T>>;
}

const firstRelistDelayMs = 800;
const maxRelistDelayMs = 30_000;
/** How often a handler that failed as nobody expected is told again, 0.8 s later, then 1.6 s … */
const maxRetells = 8;
/** Further changes of one object become one. */
const mostMissed = 32;
const namespaceIndex = "namespace";

export class Informer<T> {
  readonly resource: ResourceType<T>;
  readonly #simulation: Simulation;
  readonly #client: Client;
  readonly #options: InformerOptions;
  readonly #entries: Entries<T> = new Map();
  readonly #indices = new Map<string, Index<T>>();
  readonly #handlers: ChangeHandler<T>[] = [];
  readonly #delays: WatchDelays;
  readonly #line: DelayLine;
  #stopHearing = (): void => {};
  readonly #onSynced: (() => void)[] = [];
  #lastVersion = "";
  #watch: Watch | undefined;
  #relistTimer: Timer | undefined;
  /** What handlers failed at, by object. */
  readonly #missed = new Map<ChangeHandler<T>, Map<string, Change<T>[]>>();
  #relistDelayMs = firstRelistDelayMs;
  #running = false;
  #synced = false;

  constructor(
    simulation: Simulation,
    client: Client,
    resource: ResourceType<T>,
    options: InformerOptions = {},
    delays: WatchDelays = noDelays,
  ) {
    this.#simulation = simulation;
    this.#client = client;
    this.resource = resource;
    this.#options = options;
    this.#delays = delays;
    this.#line = new DelayLine(simulation, () => delays.of(resource));
    if (resource.namespaced) this.addIndex(namespaceIndex, valuesByNamespace());
  }

  /** The first list has been read. */
  get hasSynced(): boolean {
    return this.#synced;
  }

  /** Called once, when the first list has been read; at once where it has. */
  whenSynced(act: () => void): void {
    if (this.#synced) act();
    else this.#onSynced.push(act);
  }

  /** Resource version of the last that was heard: the copy is as new as this. "" before the first list. */
  get lastVersion(): string {
    return this.#lastVersion;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Lists and begins to watch; when the server cannot be reached, tries again with a growing delay. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    if (this.#delays !== noDelays) this.#stopHearing = this.#delays.onChange.add(() => this.#line.look());
    this.#list();
  }

  /** Stops watching; what was read stays readable. */
  stop(): void {
    this.#running = false;
    this.#missed.clear();
    this.#onSynced.length = 0;
    this.#stopHearing();
    this.#line.clear();
    this.#watch?.stop();
    this.#watch = undefined;
    this.#simulation.cancel(this.#relistTimer);
  }

  /** A handler added after the first list is told of everything that is there as additions. */
  addHandler(handler: ChangeHandler<T>): void {
    this.#handlers.push(handler);
    if (this.#synced) for (const object of [...this.list()]) this.#tell(handler, object, undefined, false);
  }

  /** Adding an index that exists is without effect. */
  addIndex(name: string, values: IndexFunction<T>): void {
    if (this.#indices.has(name)) return;
    const index: Index<T> = { values, buckets: new Map() };
    this.#indices.set(name, index);
    for (const [key, entry] of this.#entries) insertInto(index, key, entry, values(entry.object));
  }

  /** `key` as made by `keyOf`. */
  get(key: string): Stored<T> | undefined {
    return this.#entries.get(key)?.object;
  }

  list(): IterableIterator<Stored<T>> {
    return objectsOf(this.#entries);
  }

  listNamespace(namespace: string): Iterable<Stored<T>> {
    return this.byIndex(namespaceIndex, namespace);
  }

  byIndex(name: string, value: string): Iterable<Stored<T>> {
    const index = this.#indices.get(name);
    if (index === undefined) throw new RangeError(`no index ${name} on ${this.resource.plural}`);
    const bucket = index.buckets.get(value);
    return bucket === undefined ? [] : objectsOf(bucket);
  }

  countByIndex(name: string, value: string): number {
    return this.#indices.get(name)?.buckets.get(value)?.size ?? 0;
  }

  #list(): void {
    if (!this.#running) return;
    try {
      const { metadata, items } = this.#client.list(this.resource, this.#options);
      const { resourceVersion = "0" } = metadata;
      this.#line.send(() => this.#onList(items, resourceVersion));
      // A handler may have stopped the component.
      if (!this.#running) return;
      // What the watch brings follows the list on its way.
      this.#watch = this.#client.watch(
        this.resource,
        { ...this.#options, resourceVersion, allowBookmarks: true },
        {
          onEvent: (event) => {
            if (this.#line.isFree) this.#onEvent(event);
            else this.#line.send(() => this.#onEvent(event));
          },
          onClose: () => this.#line.send(() => this.#listLater()),
        },
      );
      this.#relistDelayMs = firstRelistDelayMs;
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable))
        this.#simulation.faults.note("an informer", this.resource.plural, error);
      this.#listLater();
    }
  }

  #listLater(): void {
    if (!this.#running) return;
    this.#watch?.stop();
    this.#watch = undefined;
    this.#simulation.cancel(this.#relistTimer);
    this.#relistTimer = this.#simulation.after(this.#relistDelayMs, () => this.#list(), { background: true });
    this.#relistDelayMs = Math.min(maxRelistDelayMs, this.#relistDelayMs * 2);
  }

  #onList(items: readonly Stored<T>[], version: string): void {
    this.#synced = true;
    this.#lastVersion = version;
    this.#replace(items);
    for (const act of this.#onSynced.splice(0)) act();
  }

  #onEvent(event: WatchEvent<Stored<T>>): void {
    if (!this.#running) return;
    if (event.type === "ERROR") {
      this.#listLater();
      return;
    }
    this.#lastVersion = event.object.metadata.resourceVersion ?? this.#lastVersion;
    if (event.type === "BOOKMARK") return;
    const key = keyOf(event.object);
    if (event.type === "DELETED") this.#remove(key, event.object);
    else this.#set(key, event.object);
  }

  #replace(items: readonly Stored<T>[]): void {
    const present = new Set<string>();
    for (const item of items) present.add(keyOf(item));
    for (const [key, { object }] of [...this.#entries]) if (!present.has(key)) this.#remove(key, object);
    for (const item of items) this.#set(keyOf(item), item);
  }

  #set(key: string, object: Stored<T>): void {
    const entry = this.#entries.get(key);
    const previous = entry?.object;
    if (entry === undefined || previous === undefined) this.#insert(key, object);
    else {
      if (previous.metadata.resourceVersion === object.metadata.resourceVersion) return;
      entry.object = object;
      for (const index of this.#indices.values()) reindex(index, key, entry, previous);
    }
    for (const handler of this.#handlers) this.#tell(handler, object, previous, false);
  }

  #insert(key: string, object: Stored<T>): void {
    const entry: Entry<T> = { object };
    this.#entries.set(key, entry);
    for (const index of this.#indices.values()) insertInto(index, key, entry, index.values(object));
  }

  #remove(key: string, last: Stored<T>): void {
    const previous = this.#entries.get(key)?.object;
    if (previous === undefined) return;
    this.#entries.delete(key);
    for (const index of this.#indices.values()) removeFrom(index, key, index.values(previous));
    for (const handler of this.#handlers) this.#tell(handler, last, previous, true);
  }

  /** One handler's mistake keeps nothing from the others; what it missed it is told again, in order, before anything new of the object. */
  #tell(handler: ChangeHandler<T>, object: Stored<T>, previous: Stored<T> | undefined, deleted: boolean): void {
    const missed = this.#missed.size === 0 ? undefined : this.#missed.get(handler)?.get(keyOf(object));
    if (missed !== undefined) {
      const last = missed.at(-1);
      if (last !== undefined && missed.length >= mostMissed && !deleted && !last.deleted) last.object = object;
      else missed.push({ object, previous, deleted });
      return;
    }
    if (!this.#isTold(handler, object, previous, deleted)) this.#miss(handler, { object, previous, deleted });
  }

  #isTold(handler: ChangeHandler<T>, object: Stored<T>, previous: Stored<T> | undefined, deleted: boolean): boolean {
    try {
      handler(object, previous, deleted);
      return true;
    } catch (error) {
      this.#simulation.faults.note(`a watch of ${this.resource.plural}`, keyOf(object), error);
      return false;
    }
  }

  #miss(handler: ChangeHandler<T>, change: Change<T>): void {
    const key = keyOf(change.object);
    const ofHandler = this.#missed.get(handler) ?? new Map<string, Change<T>[]>();
    this.#missed.set(handler, ofHandler.set(key, [change]));
    this.#tellAgainLater(handler, key, 0);
  }

  #tellAgainLater(handler: ChangeHandler<T>, key: string, tries: number): void {
    const again = (): void => {
      const missed = this.#missed.get(handler)?.get(key);
      if (missed === undefined) return;
      for (const change of [...missed]) {
        if (!this.#isTold(handler, change.object, change.previous, change.deleted) && tries < maxRetells) {
          this.#tellAgainLater(handler, key, tries + 1);
          return;
        }
        missed.shift();
      }
      this.#missed.get(handler)?.delete(key);
    };
    this.#simulation.after(firstRelistDelayMs * 2 ** tries, again, { background: true });
  }
}

/** One list of values for all objects of a namespace. */
function valuesByNamespace(): (object: { readonly metadata: { readonly namespace?: string } }) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return ({ metadata: { namespace = "" } }) => {
    let values = known.get(namespace);
    if (values === undefined) {
      values = [namespace];
      known.set(namespace, values);
    }
    return values;
  };
}

function* objectsOf<T>(entries: Entries<T>): IterableIterator<Stored<T>> {
  for (const { object } of entries.values()) yield object;
}

function insertInto<T>(index: Index<T>, key: string, entry: Entry<T>, values: readonly string[]): void {
  for (const value of values) {
    const bucket = index.buckets.get(value);
    if (bucket === undefined) index.buckets.set(value, new Map([[key, entry]]));
    else bucket.set(key, entry);
  }
}

function removeFrom<T>(index: Index<T>, key: string, values: readonly string[]): void {
  for (const value of values) {
    const bucket = index.buckets.get(value);
    if (bucket === undefined) continue;
    bucket.delete(key);
    if (bucket.size === 0) index.buckets.delete(value);
  }
}

/** Values that stay keep their place in the bucket's order. */
function reindex<T>(index: Index<T>, key: string, entry: Entry<T>, previous: Stored<T>): void {
  const values = index.values(entry.object);
  const former = index.values(previous);
  if (former === values || isSame(former, values)) return;
  removeFrom(
    index,
    key,
    former.filter((value) => !values.includes(value)),
  );
  insertInto(index, key, entry, values);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}
