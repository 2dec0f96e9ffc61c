// The order in which things were used, kept in the things themselves: beyond a limit the least recently used one goes.

/** What can be in such an order; `older` and `newer` are the order's. */
export interface Used<T> {
  older: T | undefined;
  newer: T | undefined;
}

export class Lately<T extends Used<T>> {
  readonly #limit: number;
  #size = 0;
  #newest: T | undefined;
  #oldest: T | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** It is the last that was used. Answers the one that had to go for it. */
  use(item: T): T | undefined {
    const newest = this.#newest;
    if (item === newest) return undefined;
    if (item.newer === undefined) this.#size += 1;
    else this.#unlink(item);
    item.older = newest;
    if (newest === undefined) this.#oldest = item;
    else newest.newer = item;
    this.#newest = item;
    return this.#size > this.#limit ? this.#dropOldest() : undefined;
  }

  /** Not for the newest one: what has nothing newer and is not the newest is not in the order. */
  #unlink(item: T): void {
    const { older, newer } = item;
    if (newer !== undefined) newer.older = older;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    item.newer = undefined;
  }

  #dropOldest(): T | undefined {
    const oldest = this.#oldest;
    if (oldest === undefined) return undefined;
    this.#unlink(oldest);
    this.#size -= 1;
    return oldest;
  }
}
