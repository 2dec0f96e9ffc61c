// The cluster as it was: what is stored now, with every write since undone.

import { type KubeObject, keyOf } from "#cluster/api/objects.ts";
import type { StoredObjects } from "#world/happenings.ts";
import type { Recorder } from "./recorder.ts";

export class PastState {
  readonly #present: StoredObjects;
  /** By table, then key: as before the first write after the time; undefined: not there. */
  readonly #undone = new Map<string, Map<string, KubeObject | undefined>>();

  /** The state after all writes at `atMs` and before. Leases are as they are now unless their renewals are still kept. */
  constructor(present: StoredObjects, { entries, beats }: Pick<Recorder, "entries" | "beats">, atMs: number) {
    this.#present = present;
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
    return this.#present.get(resource, key);
  }

  /** In the order of their keys. */
  list(resource: string): readonly KubeObject[] {
    const undone = this.#undone.get(resource);
    const present = this.#present.list(resource);
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
    return [...new Set([...this.#present.resources, ...this.#undone.keys()])];
  }
}
