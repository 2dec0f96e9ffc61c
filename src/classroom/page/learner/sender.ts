// Sends something soon, one sending at a time, and again later while it cannot be sent.

/** `later`: it is to be tried again; `ended`: nothing will come of it any more. */
export type Sent = "done" | "later" | "ended";

export interface SenderOptions {
  send(): Promise<Sent>;
  /** How long what comes in is gathered. */
  readonly gatherMs: number;
  /** After each sending, and its failure. */
  readonly onTurn?: (sent: Sent) => void;
}

const firstWaitMs = 2000;
const longestWaitMs = 60_000;

export class Sender {
  readonly #options: SenderOptions;
  #due: ReturnType<typeof setTimeout> | undefined;
  #dueAtMs = Number.POSITIVE_INFINITY;
  #waitMs = firstWaitMs;
  #isSending = false;
  #isWanted = false;
  #isEnded = false;
  /** The last sending has failed: what comes in waits with the rest. */
  #isWaiting = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** There is something to send; it goes with what else comes in within the time of gathering. */
  soon(): void {
    this.#plan(this.#options.gatherMs);
  }

  now(): void {
    this.#plan(0);
  }

  /** The connection is back: nobody waits any longer. */
  again(): void {
    this.#waitMs = firstWaitMs;
    this.#isWaiting = false;
    if (this.#due !== undefined) this.#plan(0);
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#due);
  }

  #plan(delayMs: number): void {
    if (this.#isEnded) return;
    if (this.#isSending) {
      this.#isWanted = true;
      return;
    }
    const atMs = Date.now() + delayMs;
    if (this.#due !== undefined && (this.#isWaiting || this.#dueAtMs <= atMs)) return;
    clearTimeout(this.#due);
    this.#dueAtMs = atMs;
    this.#due = setTimeout(() => void this.#turn(), delayMs);
  }

  async #turn(): Promise<void> {
    this.#due = undefined;
    this.#isSending = true;
    this.#isWanted = false;
    const sent = await this.#options.send();
    this.#isSending = false;
    if (sent === "ended") this.end();
    if (sent === "later") {
      this.#plan(this.#waitMs);
      this.#waitMs = Math.min(2 * this.#waitMs, longestWaitMs);
      this.#isWaiting = true;
    } else {
      this.#waitMs = firstWaitMs;
      this.#isWaiting = false;
      if (this.#isWanted) this.#plan(this.#options.gatherMs);
    }
    this.#options.onTurn?.(sent);
  }
}
