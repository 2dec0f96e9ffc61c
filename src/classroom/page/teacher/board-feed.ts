// The board as it comes in, told by the server whenever something happens. A connection that is lost is said to be, and
// is made again until it holds.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Board } from "../../wire.ts";

/** What is used of the browser's EventSource. */
export interface Events {
  readonly readyState: number;
  addEventListener(name: string, act: (event: { readonly data?: unknown }) => void): void;
  close(): void;
}

export interface FeedOptions {
  readonly open: () => Events;
  /** The server has answered without a stream: whether the session and the class are still there is to be looked at. */
  readonly refused: () => void;
  readonly now: () => number;
}

/** The server tells the board every 15 seconds at least. */
const silentMs = 40_000;
const againMs = 3000;
const closed = 2;

export class BoardFeed {
  readonly #options: FeedOptions;
  readonly #board: Signal<Board | undefined> = signal(undefined);
  readonly board: ReadonlySignal<Board | undefined> = this.#board;
  readonly #lost = signal(false);
  readonly lost: ReadonlySignal<boolean> = this.#lost;
  /** The server's clock less ours, milliseconds. */
  #aheadMs = 0;
  #events: Events | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#listen();
  }

  /** By the server's clock. */
  get nowMs(): number {
    return this.#options.now() + this.#aheadMs;
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
    events.addEventListener("board", ({ data }) => {
      if (this.#events !== events) return;
      const board = JSON.parse(String(data)) as Board;
      this.#aheadMs = board.at - this.#options.now();
      this.#board.value = board;
      this.#lost.value = false;
      this.#listenIn(silentMs);
    });
    events.addEventListener("error", () => {
      if (this.#events !== events) return;
      this.#lost.value = true;
      if (events.readyState !== closed) return;
      this.#options.refused();
      this.#listenIn(againMs);
    });
    this.#listenIn(silentMs);
  }

  /** Unless something comes before. */
  #listenIn(durationMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#lost.value = true;
      this.#listen();
    }, durationMs);
  }
}
