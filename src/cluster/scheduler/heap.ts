// A binary heap; `before` tells which of two comes out first.

export class Heap<T> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const other = items[parent] as T;
      if (!this.#before(item, other)) break;
      items[index] = other;
      index = parent;
    }
    items[index] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (items.length > 0 && last !== undefined) this.#sink(last);
    return top;
  }

  #sink(item: T): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#before(items[child + 1] as T, items[child] as T)) child += 1;
      const other = items[child] as T;
      if (!this.#before(other, item)) break;
      items[index] = other;
      index = child;
    }
    items[index] = item;
  }
}
