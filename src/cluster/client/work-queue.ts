// The queue between watch events and a loop: a key waits at most once, later adds and retries wait in timers, failures
// back off per key (5 ms doubling to 1000 s, as in client-go's default controller rate limiter).

import type { Simulation, Timer } from "#sim/simulation.ts";

export interface WorkQueueOptions {
  /** Virtual time between an add and the work on it. */
  readonly reactionMs?: number;
  /**
   * Least virtual time between two passes over the same key: a pass takes the time of its requests, and what happens
   * meanwhile is seen by the next one together.
   */
  readonly passMs?: (key: string) => number;
  readonly baseDelayMs?: number;
  readonly maxDelayMs?: number;
  /** Passes that go on at once, each for its `passMs`; default: as many as there are keys. */
  readonly workers?: number | undefined;
}

export interface AddAfterOptions {
  /** The wait is for something that may never happen (a deadline): it does not keep the world from being idle. */
  readonly background?: boolean;
}

/** Retries that are further away than this do not keep the world from being idle. */
const patienceMs = 10_000;
/** A read and a write or two. */
export const defaultPassMs = 10;
/** Keys remembered, at least, before those that are done are forgotten. */
const busyLimit = 1024;

export class WorkQueue {
  readonly #simulation: Simulation;
  readonly #work: (key: string) => void;
  readonly #reactionMs: number;
  readonly #passMs: (key: string) => number;
  readonly #baseDelayMs: number;
  readonly #maxDelayMs: number;
  readonly #waiting = new Set<string>();
  readonly #delayed = new Map<string, Timer>();
  readonly #failures = new Map<string, number>();
  /** Until when a key is still being worked on. */
  readonly #busyUntilMs = new Map<string, number>();
  readonly #workers: number;
  /** Until when each worker is busy that is; kept only where they are counted. */
  #busyWorkers: number[] = [];
  #mostBusy = busyLimit;
  #wake: Timer | undefined;
  #stopped = false;

  constructor(simulation: Simulation, work: (key: string) => void, options: WorkQueueOptions = {}) {
    this.#simulation = simulation;
    this.#work = work;
    this.#reactionMs = options.reactionMs ?? 1;
    this.#passMs = options.passMs ?? (() => defaultPassMs);
    this.#baseDelayMs = options.baseDelayMs ?? 5;
    this.#maxDelayMs = options.maxDelayMs ?? 1_000_000;
    this.#workers = options.workers ?? Infinity;
  }

  /** Keys that are ready to be worked on. */
  get length(): number {
    return this.#waiting.size;
  }

  add(key: string): void {
    if (this.#stopped || this.#waiting.has(key)) return;
    const busyUntilMs = this.#busyUntilMs.get(key);
    if (busyUntilMs !== undefined && busyUntilMs > this.#simulation.nowMs + this.#reactionMs) {
      this.addAfter(key, busyUntilMs - this.#simulation.nowMs);
      return;
    }
    this.#waiting.add(key);
    this.#wakeAfter(this.#reactionMs);
  }

  /** Of several delayed adds of a key the earliest counts. */
  addAfter(key: string, delayMs: number, options: AddAfterOptions = {}): void {
    if (this.#stopped) return;
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const dueMs = this.#simulation.nowMs + Math.ceil(delayMs);
    const known = this.#delayed.get(key);
    if (known !== undefined) {
      if (known.timeMs <= dueMs) return;
      this.#simulation.cancel(known);
    }
    const fire = (): void => {
      this.#delayed.delete(key);
      if (this.#waiting.has(key)) return;
      this.#waiting.add(key);
      this.#wakeAfter(0);
    };
    this.#delayed.set(key, this.#simulation.at(dueMs, fire, { background: options.background === true }));
  }

  /** Adds after the key's back-off, which doubles with each call until `forget`. */
  addRateLimited(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const delayMs = Math.min(this.#maxDelayMs, this.#baseDelayMs * 2 ** failures);
    this.addAfter(key, delayMs, { background: delayMs > patienceMs });
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The key succeeded: its back-off begins anew. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  stop(): void {
    this.#stopped = true;
    this.#simulation.cancel(this.#wake);
    for (const timer of this.#delayed.values()) this.#simulation.cancel(timer);
    this.#delayed.clear();
    this.#waiting.clear();
  }

  #wakeAfter(delayMs: number): void {
    if (this.#wake?.callback !== undefined) return;
    this.#wake = this.#simulation.after(delayMs, () => this.#next());
  }

  #next(): void {
    const [key] = this.#waiting;
    if (key === undefined || this.#waitsForWorker()) return;
    this.#waiting.delete(key);
    try {
      this.#noteBusy(key);
      this.#work(key);
    } catch (error) {
      this.addRateLimited(key);
      throw error;
    } finally {
      if (this.#waiting.size > 0) this.#wakeAfter(0);
    }
  }

  /** Whether all workers are busy: the first that is free goes on. */
  #waitsForWorker(): boolean {
    if (this.#workers === Infinity) return false;
    const { nowMs } = this.#simulation;
    this.#busyWorkers = this.#busyWorkers.filter((untilMs) => untilMs > nowMs);
    if (this.#busyWorkers.length < this.#workers) return false;
    if (this.#workers > 0) this.#wakeAfter(Math.min(...this.#busyWorkers) - nowMs);
    return true;
  }

  #noteBusy(key: string): void {
    const { nowMs } = this.#simulation;
    const untilMs = nowMs + this.#passMs(key);
    if (this.#workers !== Infinity) this.#busyWorkers.push(untilMs);
    this.#busyUntilMs.set(key, untilMs);
    if (this.#busyUntilMs.size <= this.#mostBusy) return;
    for (const [known, endMs] of this.#busyUntilMs) if (endMs <= nowMs) this.#busyUntilMs.delete(known);
    // Of thousands that are busy at once, not all are looked at with each.
    this.#mostBusy = Math.max(busyLimit, 2 * this.#busyUntilMs.size);
  }
}
