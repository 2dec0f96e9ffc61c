// Everything that comes into a world from outside, with its virtual time: replaying it into a world made from the same
// seed rebuilds the same state, which is how a lab survives a page reload.

import { Listeners } from "./listeners.ts";
import type { Simulation } from "./simulation.ts";

/** What came in: keys, window sizes, edited files, buttons. `Input` is the world's own union of JSON-like values. */
export interface JournalEntry<Input> {
  readonly timeMs: number;
  readonly input: Input;
}

export class Journal<Input> {
  readonly #simulation: Simulation;
  readonly #apply: (input: Input) => void;
  readonly #entries: JournalEntry<Input>[] = [];
  /** Told of each input as it is recorded, to store it. */
  readonly onRecord = new Listeners<JournalEntry<Input>>();

  constructor(simulation: Simulation, apply: (input: Input) => void) {
    this.#simulation = simulation;
    this.#apply = apply;
  }

  get entries(): readonly JournalEntry<Input>[] {
    return this.#entries;
  }

  /**
   * Records an input at the present virtual time and applies it. Call it only between events (the real-time driver does):
   * an input has its place behind all that was due at its time.
   */
  record(input: Input): void {
    const entry = { timeMs: this.#simulation.nowMs, input };
    this.#entries.push(entry);
    this.onRecord.tell(entry);
    this.#apply(input);
  }

  /**
   * Runs the world along recorded inputs and on to `untilMs`, as fast as it goes. The world must be as it was when the
   * recording began. `mayContinue` is asked now and then; false stops between two events, and `replay` may be called again
   * with what it returned.
   */
  replay(
    entries: readonly JournalEntry<Input>[],
    untilMs: number,
    mayContinue: () => boolean = () => true,
  ): { readonly done: boolean; readonly rest: readonly JournalEntry<Input>[] } {
    let index = 0;
    const goal = Math.max(untilMs, entries.at(-1)?.timeMs ?? 0);
    for (;;) {
      const next = entries[index];
      const timeMs = next?.timeMs ?? goal;
      if (!this.#runTo(timeMs, mayContinue)) return { done: false, rest: entries.slice(index) };
      if (next === undefined) return { done: true, rest: [] };
      this.#entries.push(next);
      this.#apply(next.input);
      index += 1;
    }
  }

  #runTo(timeMs: number, mayContinue: () => boolean): boolean {
    const simulation = this.#simulation;
    for (let events = 1; ; events += 1) {
      const next = simulation.nextEventMs;
      if (next === undefined || next > timeMs) break;
      if (events % 256 === 0 && !mayContinue()) return false;
      simulation.step();
    }
    simulation.run({ untilMs: timeMs });
    return true;
  }
}
