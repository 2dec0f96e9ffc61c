// etcd's model: one revision counter for everything, tables of immutable objects, a history that watches start from,
// and compaction, which makes old revisions unreadable.

import type { KubeObject } from "#cluster/api/objects.ts";
import { Listeners } from "#sim/listeners.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { StoreEvent } from "./events.ts";
import { Table } from "./table.ts";
import { WatchHub } from "./watch-hub.ts";

/** The API server asks etcd to compact every five minutes, to the revision of five minutes before. */
const compactionIntervalMs = 300_000;

/** A run that never lets time pass must not keep every state of every object: beyond this many events the oldest go. */
const maxHistoryEvents = 200_000;

/** What is done to values on their way to etcd and back (--encryption-provider-config). */
export interface Encryption {
  /** Of an object that is being written. Throws ApiError where nothing can seal it. */
  seal(table: Table, stored: KubeObject): void;
  /** Whether writing it once more, unchanged, would seal it otherwise. */
  isStale(table: Table, stored: KubeObject | undefined): boolean;
  /** Throws ApiError for what the server cannot read. */
  open(table: Table, stored: KubeObject): void;
  /** As `open`, for a list. */
  openAll(table: Table, stored: readonly KubeObject[]): void;
  /** The checks of /healthz, /livez or /readyz, with its own. */
  checksOf(endpoint: string, usual: readonly string[]): readonly string[];
  /** What a check of its own has found; undefined for others, and where all is well. */
  failure(check: string): string | undefined;
  /** Lines of /metrics. */
  metrics(): readonly string[];
}

export class Store {
  /** As the API server has it that was started last; absent as long as none was told of any. */
  encryption: Encryption | undefined;
  readonly watches: WatchHub;
  /** Told of every write, once it is stored: what looks at the cluster from outside looks again. */
  readonly onWrite = new Listeners<StoreEvent, Table>();
  /** Told of each compaction that the API server asks for: up to which revision, and how many it has forgotten. */
  readonly onCompacted = new Listeners<number, number>();
  readonly #simulation: Simulation;
  readonly #tables = new Map<string, Table>();
  #revision = 1;
  #compactedRevision = 0;
  /** The revision at the last compaction tick: what the next one compacts to. */
  #previousTickRevision = 0;
  #nextTickMs: number;
  #historyEvents = 0;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.watches = new WatchHub(simulation);
    this.#nextTickMs = simulation.nowMs + compactionIntervalMs;
  }

  /** The revision of the latest write; a list's resourceVersion. */
  get revision(): number {
    return this.#revision;
  }

  /** Revisions at and below this one can no longer be read or watched from. */
  get compactedRevision(): number {
    return this.#compactedRevision;
  }

  table(resource: string): Table {
    let table = this.#tables.get(resource);
    if (table === undefined) {
      table = new Table(resource);
      this.#tables.set(resource, table);
    }
    return table;
  }

  /** Tables that were ever asked for, by resource. */
  get tables(): ReadonlyMap<string, Table> {
    return this.#tables;
  }

  /**
   * Writes a new state and returns it with its resourceVersion. The caller has checked preconditions: within one
   * callback of the simulation nobody else can write in between.
   */
  put(table: Table, key: string, object: KubeObject): KubeObject {
    const previous = table.get(key);
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision + 1) } };
    this.encryption?.seal(table, stored);
    this.#revision += 1;
    this.#commit(table, key, stored, previous, false);
    return stored;
  }

  /** Removes an object and returns its last state, which carries the deletion's resourceVersion. */
  remove(table: Table, key: string, lastState: KubeObject): KubeObject {
    const previous = table.get(key);
    this.#revision += 1;
    const stored = { ...lastState, metadata: { ...lastState.metadata, resourceVersion: String(this.#revision) } };
    this.#commit(table, key, stored, previous, true);
    return stored;
  }

  /** The revision of a write that is none of an object: other clients of etcd write too. */
  advance(): number {
    this.#revision += 1;
    return this.#revision;
  }

  /** Makes revisions up to and including `revision` unreadable. */
  compact(revision: number): void {
    if (revision <= this.#compactedRevision) return;
    this.#compactedRevision = Math.min(revision, this.#revision);
    for (const table of this.#tables.values()) table.compact(this.#compactedRevision);
  }

  #commit(table: Table, key: string, object: KubeObject, previous: KubeObject | undefined, deleted: boolean): void {
    const event: StoreEvent = { revision: this.#revision, timeMs: this.#simulation.nowMs, key, object, previous, deleted };
    table.apply(event);
    this.watches.publish(table, event);
    this.#historyEvents += 1;
    this.#compactWhenDue();
    this.onWrite.tell(event, table);
  }

  /** Compaction rides on writes: between writes there is nothing to forget. */
  #compactWhenDue(): void {
    const now = this.#simulation.nowMs;
    if (this.#historyEvents > maxHistoryEvents) {
      this.compact(this.#revision - maxHistoryEvents / 2);
      this.#historyEvents = maxHistoryEvents / 2;
    }
    if (now < this.#nextTickMs) return;
    const late = now - this.#nextTickMs >= compactionIntervalMs;
    // The write that brought us here is newer than the tick.
    const before = this.#compactedRevision;
    this.compact(late ? this.#revision - 1 : this.#previousTickRevision);
    if (this.#compactedRevision > before) this.onCompacted.tell(this.#compactedRevision, this.#compactedRevision - before);
    this.#previousTickRevision = this.#revision - 1;
    this.#nextTickMs = now + compactionIntervalMs - ((now - this.#nextTickMs) % compactionIntervalMs);
  }
}
