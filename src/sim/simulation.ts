// The discrete-event core: one virtual clock, one queue ordered by (time, sequence), one seeded random source.
// Everything that happens in the world happens inside a callback of this queue.

import { EventQueue, type QueuedEvent } from "./event-queue.ts";
import { Faults } from "./faults.ts";
import type { ByteStream, ListenOptions } from "./net.ts";
import { Random } from "./random.ts";

export interface SimulationOptions {
  /** Virtual time at the start, in milliseconds since the epoch. */
  readonly startMs: number;
  /** Same seed and same inputs give the same run, to the byte. */
  readonly seed: number;
}

/** A scheduled callback; `cancel` it or let it fire. */
export type Timer = QueuedEvent;

export interface TimerOptions {
  /**
   * Background timers (heartbeats, lease renewals, periodic syncs) do not keep the world from being idle:
   * `runUntilIdle` stops when nothing else is queued.
   */
  readonly background?: boolean;
}

export class Simulation {
  readonly random: Random;
  /** Where boundaries note errors that nobody expected. */
  readonly faults = new Faults(() => this.#nowMs);
  #nowMs: number;
  /** Where real clients come in: takes what speaks to a TLS port without TLS of this world's own. */
  readTls?: (stream: ByteStream, listener: ListenOptions) => void;
  readonly #queue = new EventQueue();
  #foreground = 0;
  /** Callbacks run since the start: the workbench's events per second, and the bench's unit of work. */
  processedEvents = 0;

  constructor(options: SimulationOptions) {
    this.#nowMs = options.startMs;
    this.random = new Random(options.seed);
  }

  /** Virtual time in milliseconds since the epoch; an integer. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Runs `callback` after `delayMs` (fractions round up, negative counts as 0), behind what is already due then. */
  after(delayMs: number, callback: () => void, options?: TimerOptions): Timer {
    return this.at(this.#nowMs + Math.max(0, Math.ceil(delayMs)), callback, options);
  }

  /** Runs `callback` at `timeMs`, or now when that has passed. */
  at(timeMs: number, callback: () => void, options?: TimerOptions): Timer {
    const background = options?.background === true;
    if (!background) this.#foreground += 1;
    return this.#queue.push(Math.max(this.#nowMs, timeMs), callback, background);
  }

  /** A cancelled or fired timer may be cancelled again without effect. */
  cancel(timer: Timer | undefined): void {
    if (timer === undefined || timer.callback === undefined) return;
    timer.callback = undefined;
    if (!timer.background) this.#foreground -= 1;
    this.#queue.noteCancelled();
  }

  /** Time of the next event, or undefined when the queue is empty. */
  get nextEventMs(): number | undefined {
    return this.#queue.peek()?.timeMs;
  }

  /** Advances to the next event and runs it; false when the queue is empty. */
  step(): boolean {
    return this.#stepUntil(Number.POSITIVE_INFINITY);
  }

  /** False, and nothing done, when the next event is due after `timeMs` or there is none. */
  #stepUntil(timeMs: number): boolean {
    const event = this.#queue.popUntil(timeMs);
    if (event === undefined) return false;
    this.#nowMs = event.timeMs;
    const callback = event.callback as () => void;
    event.callback = undefined;
    if (!event.background) this.#foreground -= 1;
    this.processedEvents += 1;
    try {
      callback();
    } catch (error) {
      // The last boundary: whoever set this callback goes on, if at all, by its next one.
      this.faults.note("simulation", "an event", error);
    }
    return true;
  }

  /** Runs everything due up to and including `untilMs`, and leaves the clock there. */
  run(options: { readonly untilMs: number }): void {
    while (this.#stepUntil(options.untilMs));
    this.#nowMs = Math.max(this.#nowMs, options.untilMs);
  }

  /** Lets `durationMs` of virtual time pass. */
  advance(durationMs: number): void {
    this.run({ untilMs: this.#nowMs + durationMs });
  }

  /**
   * Steps until `condition` holds (asked before the first and after every event). Returns false, with the clock at the
   * limit, when it did not hold within `limitMs` of virtual time.
   */
  runUntil(condition: () => boolean, options: { readonly limitMs: number }): boolean {
    const limit = this.#nowMs + options.limitMs;
    while (!condition()) {
      if (this.#stepUntil(limit)) continue;
      this.#nowMs = Math.max(this.#nowMs, limit);
      return false;
    }
    return true;
  }

  /** Steps until only background timers are left; false when `limitMs` of virtual time passed first. */
  runUntilIdle(options: { readonly limitMs: number }): boolean {
    return this.runUntil(() => this.#foreground === 0, options);
  }
}
