// The entries of a directory. Most directories have few, and there are dozens for each Pod: a list of names and what they lead to
// takes a quarter of a map's room and is searched as fast.

/** Beyond it entries are kept in a map. */
const mostListed = 8;

export class Entries<T> {
  /** Name, value, name, value …, exactly as long as needed. */
  #listed: readonly (string | T)[] = [];
  #mapped: Map<string, T> | undefined;

  get(name: string): T | undefined {
    if (this.#mapped !== undefined) return this.#mapped.get(name);
    const at = this.#indexOf(name);
    return at < 0 ? undefined : (this.#listed[at + 1] as T);
  }

  /** A name that is there keeps its place in the order. */
  set(name: string, value: T): void {
    if (this.#mapped !== undefined) {
      this.#mapped.set(name, value);
      return;
    }
    const listed = this.#listed;
    const at = this.#indexOf(name);
    if (at >= 0) this.#listed = listed.with(at + 1, value);
    else if (listed.length < 2 * mostListed)
      this.#listed = listed.concat(name, value); // A spread would leave room for more.
    else {
      this.#mapped = new Map(this);
      this.#mapped.set(name, value);
      this.#listed = [];
    }
  }

  delete(name: string): void {
    this.#mapped?.delete(name);
    const at = this.#indexOf(name);
    if (at >= 0) this.#listed = this.#listed.toSpliced(at, 2);
  }

  /** In the order in which they came. */
  *[Symbol.iterator](): Generator<[string, T], void, undefined> {
    if (this.#mapped !== undefined) yield* this.#mapped;
    for (let at = 0; at < this.#listed.length; at += 2) yield [this.#listed[at] as string, this.#listed[at + 1] as T];
  }

  /** Where a listed name stands. Not `indexOf`: a value can be a text too. */
  #indexOf(name: string): number {
    const listed = this.#listed;
    for (let at = 0; at < listed.length; at += 2) if (listed[at] === name) return at;
    return -1;
  }
}
