// Who keeps rules in a machine's tables notices that somebody has cleared them by a chain of their own, the canary, that is gone
// (pkg/util/iptables, Monitor). It looks once in a while, at the table mangle only; the times of its looking are counted from its start, so
// that nothing has to run while nobody changes rules by hand.

import type { Simulation, Timer } from "#sim/simulation.ts";
import type { PacketFilter } from "./packet-filter.ts";

/** The other tables may be cleared a little later. */
const pollMs = 100;
const patienceMs = 5000;

export interface CanaryWatchOptions {
  readonly simulation: Simulation;
  readonly filter: PacketFilter;
  readonly canary: string;
  readonly startedMs: number;
  readonly intervalMs: number;
  /** Writes everything anew; the canaries are put back afterwards. */
  readonly reload: () => void;
  /** Whether somebody looks at all; absent: always. */
  readonly isAlive?: () => boolean;
  /** The other tables still had theirs after five seconds. */
  readonly tellInconsistent?: () => void;
}

export class CanaryWatch {
  readonly #options: CanaryWatchOptions;
  #countedFromMs: number;
  #timer: Timer | undefined;

  constructor(options: CanaryWatchOptions) {
    this.#options = options;
    this.#countedFromMs = options.startedMs;
  }

  /** To be called when rules have been changed by hand. */
  edited(): void {
    if (this.#timer !== undefined || this.#has("mangle")) return;
    const { simulation, intervalMs } = this.#options;
    const passed = Math.floor((simulation.nowMs - this.#countedFromMs) / intervalMs);
    this.#timer = simulation.at(this.#countedFromMs + (passed + 1) * intervalMs, () => this.#look());
  }

  stop(): void {
    this.#options.simulation.cancel(this.#timer);
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#options.isAlive?.() === false) this.edited();
    else if (!this.#has("mangle")) this.#await(this.#options.simulation.nowMs + patienceMs);
  }

  #await(untilMs: number): void {
    const { simulation, filter, canary, reload, tellInconsistent } = this.#options;
    const isWhole = this.#has("nat") || this.#has("filter");
    if (isWhole && simulation.nowMs < untilMs) {
      this.#timer = simulation.after(pollMs, () => this.#await(untilMs));
      return;
    }
    this.#timer = undefined;
    if (isWhole) tellInconsistent?.();
    reload();
    for (const table of ["mangle", "nat", "filter"] as const)
      if (!filter.hasChain(table, canary)) filter.setChain(table, canary, []);
    this.#countedFromMs = simulation.nowMs;
  }

  #has(table: "mangle" | "nat" | "filter"): boolean {
    return this.#options.filter.hasChain(table, this.#options.canary);
  }
}
