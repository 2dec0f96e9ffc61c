import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BoardFeed, type Events } from "./board-feed.ts";

class TestEvents implements Events {
  readyState = 1;
  isClosed = false;
  readonly #acts = new Map<string, (event: { readonly data?: unknown }) => void>();

  addEventListener(name: string, act: (event: { readonly data?: unknown }) => void): void {
    this.#acts.set(name, act);
  }

  close(): void {
    this.isClosed = true;
  }

  tell(name: string, data?: unknown): void {
    this.#acts.get(name)?.({ data: JSON.stringify(data) });
  }
}

let opened: TestEvents[];
let refusals: number;
let feed: BoardFeed;
const last = (): TestEvents => opened.at(-1) as TestEvents;

beforeEach(() => {
  vi.useFakeTimers({ now: 1000 });
  opened = [];
  refusals = 0;
  feed = new BoardFeed({
    open: () => {
      opened.push(new TestEvents());
      return last();
    },
    refused: () => (refusals += 1),
    now: Date.now,
  });
});
afterEach(() => {
  feed.close();
  vi.useRealTimers();
});

test("a board that comes in is shown, with the server's time", () => {
  last().tell("board", { rows: [], at: 61_000 });
  vi.advanceTimersByTime(500);
  expect(feed.board.value).toEqual({ rows: [], at: 61_000 });
  expect(feed.nowMs).toBe(61_500);
});

test("while the browser tries again by itself, the connection is said to be lost", () => {
  last().tell("board", { rows: [], at: 1 });
  last().readyState = 0;
  last().tell("error");
  expect(feed.lost.value).toBe(true);
  last().tell("board", { rows: [], at: 2 });
  expect([feed.lost.value, opened.length, refusals]).toEqual([false, 1, 0]);
});

test("a stream that the server refuses is asked for again, and who one is looked at", () => {
  last().readyState = 2;
  last().tell("error");
  expect([feed.lost.value, refusals, opened.length]).toEqual([true, 1, 1]);
  vi.advanceTimersByTime(3000);
  expect(opened.length).toBe(2);
  last().tell("board", { rows: [], at: 2 });
  expect(feed.lost.value).toBe(false);
});

test("a connection that has fallen silent is lost, and made again", () => {
  last().tell("board", { rows: [], at: 1 });
  vi.advanceTimersByTime(40_000);
  expect([feed.lost.value, opened.length, opened[0]?.isClosed]).toEqual([true, 2, true]);
  opened[0]?.tell("board", { rows: [1], at: 3 });
  expect(feed.board.value?.at).toBe(1);
});

test("what is closed stays closed", () => {
  feed.close();
  vi.advanceTimersByTime(100_000);
  expect([opened.length, last().isClosed]).toEqual([1, true]);
});
