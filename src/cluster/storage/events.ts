// What a change looks like to those who watch the store.

import type { KubeObject } from "#cluster/api/objects.ts";

/** One write. Objects are immutable, so both states are handed out by reference. */
export interface StoreEvent {
  readonly revision: number;
  readonly timeMs: number;
  readonly key: string;
  /** The state after the write; for a deletion the last state, with the deletion's resourceVersion. */
  readonly object: KubeObject;
  /** The state before the write; undefined for a creation. */
  readonly previous: KubeObject | undefined;
  readonly deleted: boolean;
}
