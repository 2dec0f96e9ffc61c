// The latest so many entries, oldest first; older ones are overwritten.

export class Ring<T> {
  readonly #capacity: number;
  #kept: T[] = [];
  /** Place of the oldest entry, once the ring is full. */
  #first = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get length(): number {
    return this.#kept.length;
  }

  push(entry: T): void {
    if (this.#kept.length < this.#capacity) {
      this.#kept.push(entry);
      return;
    }
    this.#kept[this.#first] = entry;
    this.#first = (this.#first + 1) % this.#capacity;
  }

  /** Undefined outside 0 … length - 1. */
  at(index: number): T | undefined {
    const isWithin = index >= 0 && index < this.#kept.length;
    return isWithin ? this.#kept[(this.#first + index) % this.#kept.length] : undefined;
  }

  /** Index of the first entry for which `holds`; it holds for all that come after one for which it holds. */
  findFirst(holds: (entry: T) => boolean): number {
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.at(middle) as T)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  *from(index: number): IterableIterator<T> {
    for (let at = Math.max(0, index); at < this.#kept.length; at += 1) yield this.at(at) as T;
  }

  *backwards(): IterableIterator<T> {
    for (let at = this.#kept.length - 1; at >= 0; at -= 1) yield this.at(at) as T;
  }
}
