// What kube-proxy does about its rules when nothing of Services has changed: it writes them all anew when its canary is gone, and once
// an hour at the latest. Both are counted only from the first time that somebody changes rules by hand: before that a sync finds everything
// as it left it.

import type { Simulation, Timer } from "#sim/simulation.ts";
import { CanaryWatch } from "../netfilter/canary-watch.ts";
import type { PacketFilter } from "../netfilter/packet-filter.ts";
import { fullSyncMs } from "./iptables-proxier.ts";
import { inconsistentLine, type ProxyLog } from "./log.ts";
import type { ProxySettings } from "./settings.ts";
import { canary } from "./static-rules.ts";

export interface RuleWatchOptions {
  readonly simulation: Simulation;
  readonly filter: PacketFilter;
  readonly startedMs: number;
  readonly settings: ProxySettings;
  readonly lastSyncMs: () => number;
  readonly sync: (isForced: boolean) => void;
  readonly log: ProxyLog | undefined;
}

export class RuleWatch {
  readonly #options: RuleWatchOptions;
  readonly #canary: CanaryWatch;
  #hourly: Timer | undefined;

  constructor(options: RuleWatchOptions) {
    const { simulation, filter, startedMs, settings, sync, log } = options;
    const intervalMs = settings.syncPeriodMs;
    this.#options = options;
    const reload = (): void => sync(true);
    const tellInconsistent = (): void => log?.((at) => inconsistentLine(at));
    this.#canary = new CanaryWatch({ simulation, filter, canary, startedMs, intervalMs, reload, tellInconsistent });
  }

  edited(): void {
    this.#canary.edited();
    if (this.#hourly?.callback === undefined) this.#await();
  }

  stop(): void {
    this.#canary.stop();
    this.#options.simulation.cancel(this.#hourly);
  }

  /** An hour after the last sync, whatever that was. */
  #await(): void {
    const { simulation, lastSyncMs, sync } = this.#options;
    this.#hourly = simulation.at(lastSyncMs() + fullSyncMs, () => {
      if (simulation.nowMs - lastSyncMs() < fullSyncMs) this.#await();
      else sync(false);
    });
  }
}

export function watchRules(options: RuleWatchOptions): RuleWatch {
  return new RuleWatch(options);
}
