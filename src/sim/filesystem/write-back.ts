// A disk that takes its time: what is written waits in memory and goes out in its order, so many bytes a second. A writer waits only
// when more than the kernel lets wait does, or when it asks for it (fsync, sync, direct I/O). Linux: Documentation/admin-guide/sysctl/vm,
// dirty_ratio. Disks without a limit have none of this.

import type { Simulation, Timer } from "../simulation.ts";

export interface WriteBackOptions {
  readonly simulation: Simulation;
  readonly bytesPerSecond: number;
  /** How many bytes may wait in memory before their writers do. */
  readonly mayWaitBytes: () => number;
}

interface Waiter {
  readonly mark: number;
  readonly then: () => void;
}

export class WriteBack {
  readonly #options: WriteBackOptions;
  #bytesPerSecond: number;
  /** Bytes since the beginning: handed over, and of those on the disk at `#atMs`. */
  #handed = 0;
  #written = 0;
  #atMs: number;
  /** By mark. */
  #waiters: readonly Waiter[] = [];
  #timer: Timer | undefined;

  constructor(options: WriteBackOptions) {
    this.#options = options;
    this.#bytesPerSecond = options.bytesPerSecond;
    this.#atMs = options.simulation.nowMs;
  }

  /** Infinity: everything that waits is written at once. */
  get bytesPerSecond(): number {
    return this.#bytesPerSecond;
  }

  set bytesPerSecond(bytesPerSecond: number) {
    this.#progress();
    this.#bytesPerSecond = bytesPerSecond;
    this.#wakeNext();
  }

  /** All that was handed over so far: a mark to wait for. */
  get mark(): number {
    return this.#handed;
  }

  /** The mark that a writer waits for, since more waits than may. */
  get mustReach(): number | undefined {
    this.#progress();
    const excess = this.#handed - this.#written - this.#options.mayWaitBytes();
    return excess > 0 ? this.#written + excess : undefined;
  }

  /** Gives the mark at which these bytes are on the disk too. */
  hand(bytes: number): number {
    this.#progress();
    this.#handed += bytes;
    return this.#handed;
  }

  isReached(mark: number): boolean {
    this.#progress();
    return this.#written >= mark;
  }

  /** Calls back, later, once what was handed over up to the mark is on the disk. */
  whenReached(mark: number, then: () => void): void {
    const index = this.#waiters.findIndex((waiter) => waiter.mark > mark);
    this.#waiters = this.#waiters.toSpliced(index < 0 ? this.#waiters.length : index, 0, { mark, then });
    this.#wakeNext();
  }

  /** The power is gone: nothing waits any more, and nobody is told. */
  forget(): void {
    this.#options.simulation.cancel(this.#timer);
    this.#waiters = [];
    this.#written = this.#handed;
  }

  #progress(): void {
    const { nowMs } = this.#options.simulation;
    if (this.#bytesPerSecond === Number.POSITIVE_INFINITY) this.#written = this.#handed;
    else this.#written = Math.min(this.#handed, this.#written + ((nowMs - this.#atMs) * this.#bytesPerSecond) / 1000);
    this.#atMs = nowMs;
  }

  #wakeNext(): void {
    const { simulation } = this.#options;
    simulation.cancel(this.#timer);
    const next = this.#waiters[0];
    if (next === undefined) return;
    this.#progress();
    const delayMs = Math.ceil((Math.max(0, next.mark - this.#written) * 1000) / this.#bytesPerSecond);
    this.#timer = simulation.after(delayMs, () => {
      const reached = this.#waiters.filter(({ mark }) => this.isReached(mark));
      this.#waiters = this.#waiters.slice(reached.length);
      for (const { then } of reached) then();
      this.#wakeNext();
    });
  }
}
