// How far one component's copies of resources lag behind the API server: as if a relay between the two held up what lists and watches
// bring. Reads of single objects, lists of what is no copy, and writes pass at once.

import { qualifiedResource, type ResourceType } from "#cluster/api/objects.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import { Listeners } from "#sim/listeners.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";

export class WatchDelays {
  readonly #delaysMs = new Map<string, number>();
  readonly #kept = new Map<string, ResourceType<unknown>>();
  /** Some delay is another one. */
  readonly onChange = new Listeners();

  /** Resources that the component keeps copies of, as `pods` and `replicasets.apps`, in the order of the alphabet; known once it has run. */
  get kept(): readonly string[] {
    return [...this.#kept.keys()].sort();
  }

  /** Resources with a delay, and their delays in milliseconds. */
  get all(): ReadonlyMap<string, number> {
    return new Map([...this.#delaysMs].sort(([a], [b]) => compareTexts(a, b)));
  }

  /** Resources whose copies lag. */
  get delayed(): readonly ResourceType<unknown>[] {
    return [...this.#delaysMs.keys()].flatMap((name) => this.#kept.get(name) ?? []);
  }

  /** A copy of the resource is kept from now on. */
  keep(resource: ResourceType<unknown>): void {
    this.#kept.set(qualifiedResource(resource), resource);
  }

  of(resource: ResourceType<unknown>): number {
    return this.#delaysMs.size === 0 ? 0 : (this.#delaysMs.get(qualifiedResource(resource)) ?? 0);
  }

  /** `name`: one of `kept`. Of what is under way, that goes on which has waited for as long as the new delay. */
  set(name: string, delayMs: number): void {
    if (delayMs === 0) this.#delaysMs.delete(name);
    else this.#delaysMs.set(name, delayMs);
    this.onChange.tell();
  }
}

/** What is under way to one copy: it arrives in its order. */
export class DelayLine {
  readonly #simulation: Simulation;
  readonly #delayMs: () => number;
  #underWay: { readonly sinceMs: number; readonly arrive: () => void }[] = [];
  #timer: Timer | undefined;

  constructor(simulation: Simulation, delayMs: () => number) {
    this.#simulation = simulation;
    this.#delayMs = delayMs;
  }

  /** There is neither a delay nor anything under way. */
  get isFree(): boolean {
    return this.#underWay.length === 0 && this.#delayMs() === 0;
  }

  /** Calls `arrive` at once where the line is free. */
  send(arrive: () => void): void {
    if (this.isFree) {
      arrive();
      return;
    }
    this.#underWay.push({ sinceMs: this.#simulation.nowMs, arrive });
    if (this.#underWay.length === 1) this.look();
  }

  /** The delay is another one. */
  look(): void {
    this.#simulation.cancel(this.#timer);
    const [first] = this.#underWay;
    if (first === undefined) return;
    const dueMs = Math.max(this.#simulation.nowMs, first.sinceMs + this.#delayMs());
    this.#timer = this.#simulation.at(dueMs, () => this.#arrive());
  }

  /** What is under way is lost. */
  clear(): void {
    this.#underWay = [];
    this.#simulation.cancel(this.#timer);
  }

  #arrive(): void {
    const dueMs = this.#simulation.nowMs - this.#delayMs();
    try {
      for (let first = this.#underWay[0]; first !== undefined && first.sinceMs <= dueMs; first = this.#underWay[0]) {
        this.#underWay.shift();
        first.arrive();
      }
    } finally {
      this.look();
    }
  }
}
