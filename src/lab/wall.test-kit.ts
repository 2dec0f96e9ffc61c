// A wall clock for tests, moved by hand.

import type { Wall } from "#sim/real-time.ts";

export class FakeWall implements Wall {
  #nowMs = 5000;
  #queue: { readonly atMs: number; readonly callback: () => void }[] = [];

  now(): number {
    return this.#nowMs;
  }

  schedule(callback: () => void, delayMs: number): void {
    this.#queue.push({ atMs: this.#nowMs + delayMs, callback });
  }

  /** Lets wall time pass, with all that was scheduled for it. */
  pass(durationMs: number): void {
    const endMs = this.#nowMs + durationMs;
    for (;;) {
      const next = this.#queue.sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined || next.atMs > endMs) break;
      this.#queue = this.#queue.slice(1);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.callback();
    }
    this.#nowMs = endMs;
  }

  /** Lets time pass until something holds, at most `limitMs`. */
  passUntil(holds: () => boolean, limitMs: number): boolean {
    for (let passedMs = 0; passedMs < limitMs && !holds(); passedMs += 50) this.pass(50);
    return holds();
  }
}
