// What happens in a class, as the server tells it, to views that ask anew then. A connection that is lost is made again; what was missed
// meanwhile is asked for.

import type { ClassHappening } from "../../wire.ts";
import type { Events, FeedOptions } from "./board-feed.ts";

/** The server says something every 15 seconds at least. */
const silentMs = 40_000;
const againMs = 3000;
const closed = 2;

export interface HappeningOptions extends Omit<FeedOptions, "now"> {
  /** Told of what happened; undefined: nobody knows what, as after a connection that was gone. */
  readonly happened: (happenings: readonly ClassHappening[] | undefined) => void;
}

export class HappeningFeed {
  readonly #options: HappeningOptions;
  #events: Events | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The connection was there before: what happened since is not known. */
  #hadConnection = false;

  constructor(options: HappeningOptions) {
    this.#options = options;
    this.#listen();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#events?.close();
    this.#events = undefined;
  }

  #listen(): void {
    this.close();
    const events = this.#options.open();
    this.#events = events;
    let isFirst = true;
    events.addEventListener("changed", ({ data }) => {
      if (this.#events !== events) return;
      const told = JSON.parse(String(data)) as readonly ClassHappening[];
      if (isFirst && this.#hadConnection) this.#options.happened(undefined);
      else if (told.length > 0) this.#options.happened(told);
      isFirst = false;
      this.#hadConnection = true;
      this.#listenIn(silentMs);
    });
    events.addEventListener("error", () => {
      if (this.#events !== events) return;
      isFirst = true;
      if (events.readyState !== closed) return;
      this.#options.refused();
      this.#listenIn(againMs);
    });
    this.#listenIn(silentMs);
  }

  /** Unless something comes before. */
  #listenIn(durationMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#listen(), durationMs);
  }
}
