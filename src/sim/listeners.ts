// Those who want to know of something that happens in a world. They are told at once, in the order in which they came; nobody
// pushes another one out. What belongs to one alone, such as the bytes of a stream, stays a plain `on…` of its owner.

/** One for each time that somebody was added: who listens twice is told twice. */
interface Entry<First, Second> {
  readonly listener: (first: First, second: Second) => void;
}

export class Listeners<First = void, Second = void> {
  /** Replaced, never changed: who comes or goes while listeners are told counts from the next time on. */
  #all: readonly Entry<First, Second>[] = [];

  /** For tellers that would have to make what they tell first. */
  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** Returns what removes the listener again. */
  add(listener: (first: First, second: Second) => void): () => void {
    const entry = { listener };
    this.#all = [...this.#all, entry];
    return () => {
      this.#all = this.#all.filter((one) => one !== entry);
    };
  }

  tell(first: First, second: Second): void {
    const all = this.#all;
    // No iterator: some are told of every write to the cluster.
    for (let index = 0; index < all.length; index += 1) all[index]?.listener(first, second);
  }
}
