// A pool of numbers of which some are taken: offsets of addresses, ports.

import type { Random } from "#sim/random.ts";

/** Random attempts before the pool is searched from the start. */
const randomAttempts = 32;

export interface PoolOptions {
  readonly first: number;
  readonly size: number;
  readonly reserved: number;
  readonly random: Random;
  /** Says what others took. */
  readonly isTakenElsewhere?: (value: number) => boolean;
}

export class Pool {
  readonly first: number;
  readonly #size: number;
  /** As many at the start are drawn only when the rest is used up. */
  readonly #reserved: number;
  readonly #taken = new Set<number>();
  readonly #random: Random;
  readonly #isTakenElsewhere: ((value: number) => boolean) | undefined;

  constructor(options: PoolOptions) {
    this.first = options.first;
    this.#size = options.size;
    this.#reserved = options.reserved;
    this.#random = options.random;
    this.#isTakenElsewhere = options.isTakenElsewhere;
  }

  get last(): number {
    return this.first + this.#size - 1;
  }

  contains(value: number): boolean {
    return value >= this.first && value <= this.last;
  }

  /** False when it is taken already. */
  take(value: number): boolean {
    if (this.#taken.has(value) || this.#isTakenElsewhere?.(value) === true) return false;
    this.#taken.add(value);
    return true;
  }

  release(value: number): void {
    this.#taken.delete(value);
  }

  /** A free number, now taken; undefined when there is none. */
  draw(): number | undefined {
    const from = this.#reserved < this.#size ? this.#reserved : 0;
    for (let attempt = 0; attempt < randomAttempts; attempt += 1) {
      const value = this.first + from + this.#random.below(this.#size - from);
      if (this.take(value)) return value;
    }
    for (let offset = 0; offset < this.#size; offset += 1) {
      const value = this.first + ((offset + from) % this.#size);
      if (this.take(value)) return value;
    }
    return undefined;
  }
}
