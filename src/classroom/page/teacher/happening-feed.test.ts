import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ClassHappening } from "../../wire.ts";
import { HappeningFeed } from "./happening-feed.ts";

class TestEvents {
  readyState = 1;
  isClosed = false;
  readonly #listeners = new Map<string, (event: { readonly data?: unknown }) => void>();

  addEventListener(name: string, act: (event: { readonly data?: unknown }) => void): void {
    this.#listeners.set(name, act);
  }

  tell(happenings: readonly ClassHappening[]): void {
    this.#listeners.get("changed")?.({ data: JSON.stringify(happenings) });
  }

  fail(readyState: number): void {
    this.readyState = readyState;
    this.#listeners.get("error")?.({});
  }

  close(): void {
    this.isClosed = true;
  }
}

let opened: TestEvents[];
let happened: (readonly ClassHappening[] | undefined)[];
let refused: number;
let feed: HappeningFeed;
beforeEach(() => {
  vi.useFakeTimers();
  opened = [];
  happened = [];
  refused = 0;
  feed = new HappeningFeed({
    open: () => {
      const events = new TestEvents();
      opened.push(events);
      return events;
    },
    refused: () => {
      refused += 1;
    },
    happened: (told) => void happened.push(told),
  });
});
afterEach(() => {
  feed.close();
  vi.useRealTimers();
});

const exam: ClassHappening = { kind: "exam", learner: null };

describe("what happens in a class", () => {
  it("is told on; that the connection is there is nothing that happened", () => {
    opened[0]?.tell([]);
    opened[0]?.tell([exam]);
    opened[0]?.tell([]);
    expect(happened).toEqual([[exam]]);
  });

  it("is not known after a connection that was gone, whoever made it again", async () => {
    opened[0]?.tell([]);
    // The browser comes back by itself.
    opened[0]?.fail(0);
    opened[0]?.tell([]);
    expect(happened).toEqual([undefined]);
    opened[0]?.fail(2);
    expect(refused).toBe(1);
    await vi.advanceTimersByTimeAsync(3000);
    expect([opened.length, opened[0]?.isClosed]).toEqual([2, true]);
    opened[1]?.tell([exam]);
    expect(happened).toEqual([undefined, undefined]);
  });

  it("is asked for anew when nothing is heard for long", async () => {
    opened[0]?.tell([]);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(opened.length).toBe(2);
  });
});
