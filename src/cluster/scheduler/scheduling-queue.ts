// Pods that wait for a node: those to try now, those that back off after a failure, those that nothing has helped yet.

import type { Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { Heap } from "./heap.ts";

export interface QueuedPod {
  readonly uid: string;
  pod: Stored<Pod>;
  readonly priority: number;
  /** When it entered the queue, and its order among those that entered at the same time. */
  enteredMs: number;
  sequence: number;
  attempts: number;
  /** Plugins that refused it in the last attempt; empty: any event may help. */
  refusedBy: ReadonlySet<string>;
  backoffUntilMs: number;
  unschedulableSinceMs: number;
  place: "active" | "backoff" | "unschedulable" | "gated" | "taken" | "gone";
}

/** After the first failed attempt, doubled with each further one up to the most. */
export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
}

export const usualBackoff: Backoff = { firstMs: 1_000, mostMs: 10_000 };

/** Pods that no event helped are tried again after this long. */
export const maxUnschedulableMs = 300_000;

/** PrioritySort: higher priority first, then the longer wait. */
function isBefore(a: QueuedPod, b: QueuedPod): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  return a.enteredMs !== b.enteredMs ? a.enteredMs < b.enteredMs : a.sequence < b.sequence;
}

function backsOffLess(a: QueuedPod, b: QueuedPod): boolean {
  return a.backoffUntilMs !== b.backoffUntilMs ? a.backoffUntilMs < b.backoffUntilMs : isBefore(a, b);
}

export class SchedulingQueue {
  readonly #pods = new Map<string, QueuedPod>();
  readonly #unschedulable = new Set<QueuedPod>();
  // Heaps keep entries that have moved on; they are passed over when they surface.
  readonly #active = new Heap<QueuedPod>(isBefore);
  readonly #backoff = new Heap<QueuedPod>(backsOffLess);
  readonly #limits: Backoff;
  #sequence = 0;

  constructor(limits = usualBackoff) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#pods.size;
  }

  countByPlace(): ReadonlyMap<QueuedPod["place"], number> {
    const counts = new Map<QueuedPod["place"], number>();
    for (const { place } of this.#pods.values()) counts.set(place, (counts.get(place) ?? 0) + 1);
    return counts;
  }

  get(uid: string): QueuedPod | undefined {
    return this.#pods.get(uid);
  }

  unschedulable(): Iterable<QueuedPod> {
    return this.#unschedulable;
  }

  /** Since when the longest waiting unschedulable Pod waits. */
  get oldestUnschedulableMs(): number | undefined {
    const [oldest] = this.#unschedulable;
    return oldest?.unschedulableSinceMs;
  }

  add(pod: Stored<Pod>, gated: boolean, nowMs: number): void {
    const entry: QueuedPod = {
      uid: pod.metadata.uid,
      pod,
      priority: pod.spec?.priority ?? 0,
      enteredMs: nowMs,
      sequence: this.#sequence++,
      attempts: 0,
      refusedBy: new Set(),
      backoffUntilMs: 0,
      unschedulableSinceMs: nowMs,
      place: "gated",
    };
    this.#pods.set(entry.uid, entry);
    if (!gated) this.#activate(entry);
  }

  remove(uid: string): void {
    const entry = this.#pods.get(uid);
    if (entry === undefined) return;
    entry.place = "gone";
    this.#pods.delete(uid);
    this.#unschedulable.delete(entry);
  }

  /** The gates were removed. */
  ungate(entry: QueuedPod, nowMs: number): void {
    entry.enteredMs = nowMs;
    this.#activate(entry);
  }

  get hasReady(): boolean {
    this.#dropStale();
    return this.#active.size > 0 || this.#backoff.size > 0;
  }

  /**
   * The next Pod to try. When none is active, one that backs off is taken early: the back-off keeps failing Pods from
   * holding up others, and there are no others (SchedulerPopFromBackoffQ, on since 1.33).
   */
  pop(nowMs: number): QueuedPod | undefined {
    this.#dropStale();
    for (let first = this.#backoff.peek(); first !== undefined && first.backoffUntilMs <= nowMs; first = this.#backoff.peek()) {
      this.#backoff.pop();
      if (first.place === "backoff") this.#activate(first);
    }
    const entry = this.#active.pop() ?? this.#backoff.pop();
    if (entry === undefined) return undefined;
    entry.place = "taken";
    entry.attempts += 1;
    return entry;
  }

  /** After an attempt in which these plugins refused the Pod. */
  putBack(entry: QueuedPod, refusedBy: ReadonlySet<string>, nowMs: number): void {
    if (entry.place === "gone") return;
    entry.refusedBy = refusedBy;
    entry.backoffUntilMs = nowMs + Math.min(this.#limits.mostMs, this.#limits.firstMs * 2 ** (entry.attempts - 1));
    entry.unschedulableSinceMs = nowMs;
    entry.place = "unschedulable";
    this.#unschedulable.add(entry);
  }

  /** Something may have changed for this Pod. */
  wake(entry: QueuedPod, nowMs: number): void {
    if (entry.place !== "unschedulable") return;
    this.#unschedulable.delete(entry);
    entry.enteredMs = nowMs;
    if (entry.backoffUntilMs <= nowMs) {
      this.#activate(entry);
    } else {
      entry.place = "backoff";
      this.#backoff.push(entry);
    }
  }

  #activate(entry: QueuedPod): void {
    entry.place = "active";
    this.#active.push(entry);
  }

  #dropStale(): void {
    for (let top = this.#active.peek(); top !== undefined && top.place !== "active"; top = this.#active.peek()) this.#active.pop();
    for (let top = this.#backoff.peek(); top !== undefined && top.place !== "backoff"; top = this.#backoff.peek())
      this.#backoff.pop();
  }
}
