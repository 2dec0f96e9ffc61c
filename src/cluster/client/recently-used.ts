// What was used lately, by text: beyond a limit the least recently used goes.

export class RecentlyUsed<V> {
  readonly #limit: number;
  readonly #values = new Map<string, V>();
  /** Comes to each key once, the oldest first. A new iterator would pass all that has left the front of the map. */
  readonly #oldest = this.#values.keys();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** It counts as used now. */
  set(key: string, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#limit) return;
    // There is one: all that it has come to so far is gone.
    const { value: oldest } = this.#oldest.next();
    if (oldest !== undefined) this.#values.delete(oldest);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}
