// Who reads the keys of a terminal: a line that is being written, or a program that takes them one by one (an editor, a pager, anything on the full screen).

/** What the screen and the terminal line tell, in the order in which it happens. */
export interface ReadingFacts {
  /** The alternate screen is shown. */
  readonly isAlternate: () => boolean;
  /** The kernel gathers lines: `TerminalPort.canonical`. */
  readonly isCanonical: () => boolean;
}

export class Reading {
  readonly #facts: ReadingFacts;
  /** A line editor has asked for bracketed pastes (DECSET 2004): a prompt is there. */
  #prompted = false;
  /** Enter was sent to the prompt, and what it starts is not yet known. */
  #entered = false;
  /** A prompt has come or gone. */
  onPrompt: ((atPrompt: boolean) => void) | undefined;

  constructor(facts: ReadingFacts) {
    this.#facts = facts;
  }

  /** The shell waits for a command. */
  get atPrompt(): boolean {
    return this.#prompted && !this.#entered && !this.#facts.isAlternate();
  }

  /** Nobody would miss an Esc: a line is being written, or what runs takes no single keys. */
  get isByLines(): boolean {
    if (this.#facts.isAlternate() || this.#entered) return false;
    return this.#prompted || this.#facts.isCanonical();
  }

  /** Keys leave for the shell. */
  sent(data: string): void {
    if (!this.#prompted || !/[\r\n]/.test(data)) return;
    this.#entered = true;
    this.onPrompt?.(false);
  }

  /** Bracketed pastes were switched on or off. */
  bracketed(on: boolean): void {
    this.#prompted = on;
    this.#entered = false;
    this.onPrompt?.(this.atPrompt);
  }
}
