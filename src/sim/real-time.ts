// Lets a world follow the wall clock: the only file that may know real time. It runs the world in short slices, so that
// the thread it shares with input stays responsive.

import { Listeners } from "./listeners.ts";
import type { Simulation } from "./simulation.ts";

/** The wall, given by whoever runs the world (a worker's timers; a test's own). */
export interface Wall {
  /** Milliseconds, monotonic. */
  now(): number;
  /** Calls back later, once; 0 means as soon as other work of the thread has had its turn. */
  schedule(callback: () => void, delayMs: number): void;
}

/** Work at most this long before the thread is given back. */
const sliceMs = 8;
/** Time of an idle turn: how late a timer of the world may be. */
const idleMs = 16;
/** Wall time that a sleeping tab or a busy machine lost is not caught up with beyond this, unless asked for. */
const usualDebtMs = 10_000;
/** Events between two looks at the clock. */
const eventsPerLook = 8;

export interface RealTimeOptions {
  /**
   * How far behind the wall the world may be and still catch up, in wall milliseconds; what is beyond is forgotten. Infinity
   * for a world whose clients look at the wall's clock themselves: they would see ages that are wrong for good.
   */
  readonly maximumDebtMs?: number;
}

export class RealTimeDriver {
  readonly #maximumDebtMs: number;
  readonly #simulation: Simulation;
  readonly #wall: Wall;
  #speed = 1;
  #paused = true;
  #closed = false;
  #scheduled = false;
  /** Virtual and wall time that belong together. */
  #anchorVirtualMs: number;
  #anchorWallMs: number;
  /** A skip under way: run to there as fast as possible. */
  #skipToMs: number | undefined;
  /** What the skip under way waits for, if it is not for a time alone. */
  #skipUntil: (() => boolean) | undefined;
  /** After each slice: new output may be shown. */
  readonly onSlice = new Listeners();

  constructor(simulation: Simulation, wall: Wall, { maximumDebtMs = usualDebtMs }: RealTimeOptions = {}) {
    this.#maximumDebtMs = maximumDebtMs;
    this.#simulation = simulation;
    this.#wall = wall;
    this.#anchorVirtualMs = simulation.nowMs;
    this.#anchorWallMs = wall.now();
  }

  get paused(): boolean {
    return this.#paused;
  }

  get speed(): number {
    return this.#speed;
  }

  /** Virtual milliseconds per millisecond of the wall: 1, 10, 60. */
  setSpeed(speed: number): void {
    if (!(speed > 0)) throw new RangeError("speed must be positive");
    this.#anchor();
    this.#speed = speed;
    this.#wake();
  }

  setPaused(paused: boolean): void {
    if (paused === this.#paused) return;
    if (paused) this.#catchUp(this.#wall.now() + sliceMs);
    this.#paused = paused;
    this.#anchor();
    this.#wake();
  }

  /** Runs the events of the next instant that has any; for a paused world. False when there is none. */
  step(): boolean {
    const next = this.#simulation.nextEventMs;
    if (next === undefined) return false;
    this.#simulation.run({ untilMs: next });
    this.#anchor();
    this.onSlice.tell();
    return true;
  }

  /** Lets virtual time pass as fast as the machine can, still in slices. Two skips add up; a wait for something is given up. */
  skip(durationMs: number): void {
    const fromMs = this.#skipUntil === undefined ? this.#skipToMs : undefined;
    this.#skipUntil = undefined;
    this.#skipToMs = (fromMs ?? this.#simulation.nowMs) + durationMs;
    this.#wake();
  }

  /** As `skip`, but only until something holds, at the latest after `limitMs`. */
  skipUntil(holds: () => boolean, limitMs: number): void {
    this.#skipUntil = holds;
    this.#skipToMs = this.#simulation.nowMs + limitMs;
    this.#wake();
  }

  get skipping(): boolean {
    return this.#skipToMs !== undefined;
  }

  /** Brings the world to the present before an input is applied, and lets what follows from it run soon after. */
  input(apply: () => void): void {
    if (!this.#paused && this.#skipToMs === undefined) this.#catchUp(this.#wall.now() + sliceMs);
    apply();
    this.#wake();
  }

  close(): void {
    this.#closed = true;
  }

  #wake(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    this.#wall.schedule(this.#turn, 0);
  }

  /** Whether something is left to do at once. */
  #runUntil(endMs: number): boolean {
    if (this.#skipToMs !== undefined) return this.#runSkip(endMs);
    return this.#paused ? this.#runPresent(endMs) : this.#catchUp(endMs);
  }

  readonly #turn = (): void => {
    this.#scheduled = false;
    if (this.#closed) return;
    const endMs = this.#wall.now() + sliceMs;
    const behind = this.#runUntil(endMs);
    this.onSlice.tell();
    if (this.#paused && !behind && this.#skipToMs === undefined) return;
    this.#scheduled = true;
    this.#wall.schedule(this.#turn, behind ? 0 : this.#untilNextEvent());
  };

  /** True while there is more to do. */
  #runSkip(endMs: number): boolean {
    const goal = this.#skipToMs as number;
    if (!this.#runTo(goal, endMs, this.#skipUntil)) return true;
    this.#skipToMs = undefined;
    this.#skipUntil = undefined;
    this.#anchor();
    return false;
  }

  /** A paused world still handles what is due now: the echo of a key. */
  #runPresent(endMs: number): boolean {
    return !this.#runTo(this.#simulation.nowMs, endMs);
  }

  #catchUp(endMs: number): boolean {
    if (this.#paused) return false;
    const debtMs = (this.#goalMs() - this.#simulation.nowMs) / this.#speed;
    // The tab slept, or the machine cannot hold the speed: some of the wall's time is forgotten rather than made up for.
    if (debtMs > this.#maximumDebtMs) this.#anchorWallMs += debtMs - this.#maximumDebtMs;
    return !this.#runTo(this.#goalMs(), endMs);
  }

  #goalMs(): number {
    return this.#anchorVirtualMs + Math.floor((this.#wall.now() - this.#anchorWallMs) * this.#speed);
  }

  /** False when the slice was too short; stops early, with true, once `until` holds. */
  #runTo(goalMs: number, endMs: number, until?: () => boolean): boolean {
    const simulation = this.#simulation;
    for (let events = 1; ; events += 1) {
      const next = simulation.nextEventMs;
      if (next === undefined || next > goalMs) break;
      if (events % eventsPerLook === 0 && this.#wall.now() >= endMs) return false;
      simulation.step();
      if (until?.() === true) return true;
    }
    simulation.run({ untilMs: goalMs });
    return true;
  }

  #untilNextEvent(): number {
    const next = this.#simulation.nextEventMs;
    if (next === undefined) return idleMs;
    return Math.min(idleMs, Math.max(1, Math.ceil((next - this.#goalMs()) / this.#speed)));
  }

  #anchor(): void {
    this.#anchorVirtualMs = this.#simulation.nowMs;
    this.#anchorWallMs = this.#wall.now();
  }
}
