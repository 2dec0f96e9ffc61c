// Wrong passwords and words: after some, the same name has to wait. Counted in this process's memory.

import { Refused } from "../http/refusals.ts";

const most = 10;
const withinMs = 600_000;
const mostNames = 20_000;

export class Failures {
  readonly #now: () => number;
  readonly #byName = new Map<string, { count: number; readonly untilMs: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Throws a refusal when `name` has failed too often. */
  check(name: string): void {
    const failed = this.#byName.get(name);
    if (failed === undefined) return;
    if (failed.untilMs <= this.#now()) this.#byName.delete(name);
    else if (failed.count >= most) throw new Refused("too-many-requests");
  }

  note(name: string): void {
    const failed = this.#byName.get(name);
    if (failed !== undefined) failed.count += 1;
    else {
      if (this.#byName.size >= mostNames) this.#byName.delete(this.#byName.keys().next().value as string);
      this.#byName.set(name, { count: 1, untilMs: this.#now() + withinMs });
    }
  }

  forget(name: string): void {
    this.#byName.delete(name);
  }
}
