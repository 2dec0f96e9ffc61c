// What is typed while there is no world to take it: while a lab starts, or the journal of a run is replayed.

import { type ReadonlySignal, signal } from "@preact/signals";
import type { WorldInput } from "#world/input.ts";

/** An answer that the screen gives by itself to a program that asks for its kind, state, cursor or colours: nobody typed it. */
const screenReport = /^\u001b(?:\[[?>]?[\d;]*[cnR]|\])/u;

export class TypedAhead {
  readonly #inputs: WorldInput[] = [];
  readonly #any = signal(false);
  readonly any: ReadonlySignal<boolean> = this.#any;

  /** Keeps keys and the closing of terminals; how large screens are is told when the world is ready. */
  keep(input: WorldInput): void {
    const isTyped = input.kind === "terminal-input" && !screenReport.test(input.text);
    if (!isTyped && input.kind !== "terminal-close") return;
    this.#inputs.push(input);
    if (isTyped) this.#any.value = true;
  }

  /** All of it, in order; what was typed into a terminal that is not there any more goes to `otherwise`. */
  take(isThere: (terminal: string) => boolean, otherwise: string | undefined): readonly WorldInput[] {
    this.#any.value = false;
    return this.#inputs
      .splice(0)
      .map((input) =>
        input.kind === "terminal-input" && otherwise !== undefined && !isThere(input.terminal)
          ? { ...input, terminal: otherwise }
          : input,
      );
  }

  /** It was meant for a run that another one has taken the place of. */
  drop(): void {
    this.#inputs.length = 0;
    this.#any.value = false;
  }
}
