// What a controller is. The controller manager runs them; the shared work queue dedupes, delays and backs off.

import type { ResourceType, Stored } from "#cluster/api/objects.ts";

/** Which changes wake which keys. */
export interface WatchRule<T> {
  readonly resource: ResourceType<T>;
  /** How long such keys wait at least; default: not at all. */
  readonly delayMs?: number;
  /** Keys to reconcile for a change of `object`; `previous` is undefined for additions, `deleted` tells removals. */
  keys(object: Stored<T>, previous: Stored<T> | undefined, deleted: boolean): readonly string[];
}

export interface Controller {
  /** As in `--controllers`: `deployment-controller`. */
  readonly name: string;
  // A controller watches several kinds; each rule is typed where it is made (`watchRule`).
  readonly watches: readonly WatchRule<never>[];
  /**
   * Brings the world one pass nearer to what the object with `key` asks for. A thrown error means: again, with back-off.
   * `{ requeueAfterMs }` asks for another pass later; `background` when that is a deadline that may never matter (it does
   * not keep the world from being idle).
   */
  reconcile(key: string): Requeue | undefined;
  /**
   * Virtual milliseconds that a pass over this key takes (default 10): what changes meanwhile is seen by the next pass
   * together. Loops over many objects take longer, here as on a real control plane.
   */
  passMs?(key: string): number;
  /** The first wait after a pass that failed (default 5 ms), doubled by each further one. */
  readonly retryMs?: number;
  /** Up to this (default 1000 s). */
  readonly longestRetryMs?: number;
  /** Called once before the first event, for loops that have timers of their own, or that wake keys by themselves. */
  start?(enqueue: (key: string) => void): void;
  /** Must end all timers. */
  stop?(): void;
}

export interface Requeue {
  readonly requeueAfterMs: number;
  readonly background?: boolean;
}

/** A pass that has to be made again, with back-off, though nobody refused anything. */
export class TryAgain extends Error {}

/** Types a rule, then forgets the type: the manager only ever hands an object back to the rule of its own kind. */
export function watchRule<T>(rule: WatchRule<T>): WatchRule<never> {
  return rule as WatchRule<never>;
}
