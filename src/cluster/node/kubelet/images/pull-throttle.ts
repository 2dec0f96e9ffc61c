// How many pulls a second a kubelet begins at most: a bucket of tokens that fills steadily (throttled_puller.go).

import type { Simulation } from "#sim/simulation.ts";

export interface ThrottleRates {
  /** registryPullQPS; 0: no limit. */
  readonly perSecond: number;
  /** registryBurst: how many tokens the bucket holds. */
  readonly burst: number;
}

export const usualThrottle: ThrottleRates = { perSecond: 5, burst: 10 };

export class PullThrottle {
  readonly #simulation: Simulation;
  readonly #rates: ThrottleRates;
  #tokens: number;
  #filledMs: number;

  constructor(simulation: Simulation, rates: ThrottleRates) {
    this.#simulation = simulation;
    this.#rates = rates;
    this.#tokens = rates.burst;
    this.#filledMs = simulation.nowMs;
  }

  /** False when there are too many pulls just now. */
  tryToTake(): boolean {
    const { perSecond, burst } = this.#rates;
    if (perSecond === 0) return true;
    const { nowMs } = this.#simulation;
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#filledMs) * perSecond) / 1000);
    this.#filledMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
