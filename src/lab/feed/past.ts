// The cluster as it was: what is stored now, with every write since undone.

import { type KubeObject, keyOf, type ResourceType, type Stored } from "#cluster/api/objects.ts";
import { qualifiedResource } from "#cluster/resources/definition.ts";
import type { Store } from "#cluster/storage/store.ts";
import { ClusterViewer, type ViewOptions } from "../cluster-view.ts";
import type { PastView } from "./questions.ts";
import type { Recorder } from "./recorder.ts";

export class PastState {
  readonly #store: Store;
  /** By table, then key: as before the first write after the time; undefined: not there. */
  readonly #undone = new Map<string, Map<string, KubeObject | undefined>>();

  /** The state after all writes at `atMs` and before. Leases are as they are now unless their renewals are still kept. */
  constructor(store: Store, { entries, beats }: Pick<Recorder, "entries" | "beats">, atMs: number) {
    this.#store = store;
    for (const ring of [entries, beats]) {
      for (const entry of ring.backwards()) {
        if (entry.timeMs <= atMs) break;
        if (entry.kind !== "write") continue;
        const { write, resource } = entry;
        let table = this.#undone.get(resource);
        if (table === undefined) {
          table = new Map();
          this.#undone.set(resource, table);
        }
        table.set(write.key, write.previous);
      }
    }
  }

  get(resource: string, key: string): KubeObject | undefined {
    const undone = this.#undone.get(resource);
    if (undone?.has(key) === true) return undone.get(key);
    return this.#store.tables.get(resource)?.get(key);
  }

  /** In the order of their keys. */
  list(resource: string): readonly KubeObject[] {
    const undone = this.#undone.get(resource);
    const present = this.#store.tables.get(resource)?.list("") ?? [];
    if (undone === undefined) return present;
    const states = new Map<string, KubeObject>();
    for (const object of present) {
      const key = keyOf(object);
      if (!undone.has(key)) states.set(key, object);
    }
    for (const [key, object] of undone) if (object !== undefined) states.set(key, object);
    return [...states.keys()].sort().map((key) => states.get(key) as KubeObject);
  }

  /** Tables that hold or held anything. */
  get resources(): readonly string[] {
    return [...new Set([...this.#store.tables.keys(), ...this.#undone.keys()])];
  }
}

export function pastView(
  store: Store,
  recorder: Pick<Recorder, "entries" | "beats">,
  atMs: number,
  options: ViewOptions,
): PastView {
  const oldestMs = recorder.entries.at(0)?.timeMs ?? atMs;
  const shownMs = Math.max(atMs, oldestMs);
  const state = new PastState(store, recorder, shownMs);
  // Each built-in kind of the picture is stored in the version that it is shown in; of custom kinds only what all versions share is read.
  const list = <T>(type: ResourceType<T>) => state.list(qualifiedResource(type)) as readonly KubeObject[] as readonly Stored<T>[];
  const cluster = new ClusterViewer().view(list, options);
  return { atMs: shownMs, cluster, oldestMs };
}
