// Exponential back-off by key, as client-go's flowcontrol.Backoff: forgotten after a time without a failure, twice the maximum unless stated.

interface Entry {
  readonly delayMs: number;
  readonly updatedMs: number;
}

export class BackOff {
  readonly #initialMs: number;
  readonly #maximumMs: number;
  readonly #forgottenAfterMs: number;
  readonly #entries = new Map<string, Entry>();

  constructor(options: { readonly initialMs: number; readonly maximumMs: number; readonly forgottenAfterMs?: number }) {
    this.#initialMs = Math.min(options.initialMs, options.maximumMs);
    this.#maximumMs = options.maximumMs;
    this.#forgottenAfterMs = options.forgottenAfterMs ?? 2 * options.maximumMs;
  }

  /** When a try that last failed at `eventMs` may be repeated; undefined when at once. */
  readyAt(key: string, eventMs: number, nowMs: number): number | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#isForgotten(entry, eventMs)) return undefined;
    const readyMs = eventMs + entry.delayMs;
    return nowMs < readyMs ? readyMs : undefined;
  }

  /** The same, counted from when the delay was last raised. */
  readyAfterUpdate(key: string, nowMs: number): number | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#isForgotten(entry, nowMs)) return undefined;
    const readyMs = entry.updatedMs + entry.delayMs;
    return nowMs < readyMs ? readyMs : undefined;
  }

  /** The delay in force. */
  delayMs(key: string): number {
    return this.#entries.get(key)?.delayMs ?? 0;
  }

  /** Raises the delay for a failure at `eventMs`. */
  next(key: string, eventMs: number, nowMs: number): void {
    const entry = this.#entries.get(key);
    const delayMs =
      entry === undefined || this.#isForgotten(entry, eventMs) ? this.#initialMs : Math.min(entry.delayMs * 2, this.#maximumMs);
    this.#entries.set(key, { delayMs, updatedMs: nowMs });
  }

  /** Forgets every key that begins with `prefix`. */
  forget(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }

  #isForgotten(entry: Entry, eventMs: number): boolean {
    return eventMs - entry.updatedMs > this.#forgottenAfterMs;
  }
}
