// Threads (or polls) waiting for the same thing. Waking empties the queue; who still finds nothing waits again.

import type { SystemCall } from "../program.ts";

export class WaitQueue {
  #waiters: (() => void)[] | undefined;

  add(waiter: () => void): void {
    if (this.#waiters === undefined) this.#waiters = [waiter];
    else this.#waiters.push(waiter);
  }

  remove(waiter: () => void): void {
    const index = this.#waiters?.indexOf(waiter) ?? -1;
    if (index >= 0) this.#waiters?.splice(index, 1);
  }

  wake(): void {
    const waiters = this.#waiters;
    if (waiters === undefined) return;
    this.#waiters = undefined;
    for (const waiter of waiters) waiter();
  }
}

/** Blocks the calling thread until the queue is woken; EINTR on a caught signal. */
export function waitIn(queue: WaitQueue): SystemCall {
  return (thread) => {
    const wake = (): void => thread.resume(undefined);
    queue.add(wake);
    thread.onInterrupt = () => queue.remove(wake);
  };
}
