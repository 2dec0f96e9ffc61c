// A binary heap of callbacks ordered by (time, sequence). Cancelled entries stay until they surface, or until they are
// the majority: then the heap is rebuilt without them.

export interface QueuedEvent {
  readonly timeMs: number;
  readonly sequence: number;
  readonly background: boolean;
  /** Undefined once fired or cancelled. */
  callback: (() => void) | undefined;
}

export class EventQueue {
  #heap: QueuedEvent[] = [];
  #nextSequence = 0;
  #cancelled = 0;

  push(timeMs: number, callback: () => void, background: boolean): QueuedEvent {
    const event: QueuedEvent = { timeMs, sequence: this.#nextSequence++, background, callback };
    this.#heap.push(event);
    this.#siftUp(this.#heap.length - 1);
    return event;
  }

  /** The next live event, left in the queue. */
  peek(): QueuedEvent | undefined {
    while (this.#heap.length > 0) {
      const top = this.#heap[0] as QueuedEvent;
      if (top.callback !== undefined) return top;
      this.#removeTop();
      this.#cancelled -= 1;
    }
    return undefined;
  }

  pop(): QueuedEvent | undefined {
    return this.popUntil(Number.POSITIVE_INFINITY);
  }

  /** The next live event, unless it is due after `timeMs`. */
  popUntil(timeMs: number): QueuedEvent | undefined {
    const top = this.peek();
    if (top === undefined || top.timeMs > timeMs) return undefined;
    this.#removeTop();
    return top;
  }

  /** Tells the queue that one of its events lost its callback. */
  noteCancelled(): void {
    this.#cancelled += 1;
    if (this.#cancelled > 1024 && this.#cancelled * 2 > this.#heap.length) this.#compact();
  }

  #compact(): void {
    // A sorted array is a heap.
    this.#heap = this.#heap.filter((event) => event.callback !== undefined).sort(compare);
    this.#cancelled = 0;
  }

  #removeTop(): void {
    const last = this.#heap.pop() as QueuedEvent;
    if (this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#siftDown(0);
  }

  #siftUp(start: number): void {
    const heap = this.#heap;
    const event = heap[start] as QueuedEvent;
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const other = heap[parent] as QueuedEvent;
      if (compare(other, event) <= 0) break;
      heap[index] = other;
      index = parent;
    }
    heap[index] = event;
  }

  #siftDown(start: number): void {
    const heap = this.#heap;
    const event = heap[start] as QueuedEvent;
    let index = start;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      let other = heap[child] as QueuedEvent;
      const sibling = heap[child + 1];
      if (sibling !== undefined && compare(sibling, other) < 0) {
        child += 1;
        other = sibling;
      }
      if (compare(event, other) <= 0) break;
      heap[index] = other;
      index = child;
    }
    heap[index] = event;
  }
}

function compare(a: QueuedEvent, b: QueuedEvent): number {
  return a.timeMs - b.timeMs || a.sequence - b.sequence;
}
