// Looking back: which moment the reader looks at, and the cluster as it was then. The world goes on meanwhile.

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { ClusterView } from "#lab/picture-view.ts";
import type { PastView } from "#lab/questions.ts";
import type { LabSession } from "#lab/session.ts";

export interface PastWindow {
  /** The moment that is shown; undefined for now. */
  readonly atMs: ReadonlySignal<number | undefined>;
  /** What the picture shows. */
  readonly cluster: ReadonlySignal<ClusterView>;
  /** Shows a moment of the past; the picture follows as soon as the world has told of it. */
  show(atMs: number): void;
  returnToNow(): void;
  close(): void;
}

export function createPastWindow(session: Pick<LabSession, "ask" | "cluster" | "state">): PastWindow {
  const shown = signal<PastView | undefined>(undefined);
  /** The moment asked for last: answers to older questions come too late. */
  let wanted: number | undefined;
  let asking = false;
  const ask = (): void => {
    if (wanted === undefined || asking) return;
    const atMs = wanted;
    asking = true;
    session.ask("past", { atMs }).then(
      (view) => {
        asking = false;
        if (wanted !== undefined) shown.value = view;
        if (wanted !== atMs) ask();
      },
      () => {
        asking = false;
        returnToNow();
      },
    );
  };
  const returnToNow = (): void => {
    wanted = undefined;
    shown.value = undefined;
  };
  // Another world has another past.
  const stop = effect(() => {
    if (session.state.value.kind !== "ready") returnToNow();
  });
  return {
    atMs: computed(() => shown.value?.atMs),
    cluster: computed(() => shown.value?.cluster ?? session.cluster.value),
    show: (atMs) => {
      wanted = atMs;
      ask();
    },
    returnToNow,
    close: stop,
  };
}
