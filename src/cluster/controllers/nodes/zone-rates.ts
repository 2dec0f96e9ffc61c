// How fast lost nodes of a zone are tainted: slower, or not at all, when so many are lost that the network is the likelier
// cause (node_lifecycle_controller.go, ComputeZoneState; rate_limited_queue.go).

export type ZoneState = "Normal" | "PartialDisruption" | "FullDisruption";

/** Flags of the controller manager; rates in nodes a second. */
export interface EvictionRates {
  /** `--node-eviction-rate` */
  readonly normal: number;
  /** `--secondary-node-eviction-rate`: of large zones with a partial disruption. */
  readonly secondary: number;
  /** `--unhealthy-zone-threshold`: from which share of lost nodes on a disruption is partial. */
  readonly unhealthyShare: number;
  /** `--large-cluster-size-threshold`: zones with more nodes than this are large. */
  readonly largeZoneNodes: number;
}

export const usualEvictionRates: EvictionRates = { normal: 0.1, secondary: 0.01, unhealthyShare: 0.55, largeZoneNodes: 50 };

export function zoneState(ready: number, notReady: number, { unhealthyShare }: EvictionRates = usualEvictionRates): ZoneState {
  if (ready === 0 && notReady > 0) return "FullDisruption";
  if (notReady > 2 && notReady / (ready + notReady) >= unhealthyShare) return "PartialDisruption";
  return "Normal";
}

/** Nodes a second that may be tainted NoExecute, where some zone has a ready node. */
export function taintsPerSecond(state: ZoneState, zoneSize: number, rates: EvictionRates = usualEvictionRates): number {
  if (state !== "PartialDisruption") return rates.normal;
  return zoneSize > rates.largeZoneNodes ? rates.secondary : 0;
}

/** A token bucket with room for one: the first node at once. */
export class TaintRate {
  #perSecond: number;
  /** Set to a rate of nothing: such a limiter never grants one. */
  #never = false;
  #readyMs = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** When the next one may be tainted; Infinity where no time brings it. */
  get readyMs(): number {
    return this.#never ? Number.POSITIVE_INFINITY : this.#readyMs;
  }

  /** Whether one may be tainted now; takes the token. */
  take(nowMs: number): boolean {
    if (nowMs < this.readyMs) return false;
    this.#readyMs = this.#perSecond > 0 ? nowMs + 1000 / this.#perSecond : Number.POSITIVE_INFINITY;
    return true;
  }

  /**
   * Goes on at another rate: at once where a token was there, and a whole wait later where none was, as none ever is at a rate of nothing.
   * Upstream's limiter for such a rate says of itself that it grants one a second, so it is not exchanged for one that does.
   */
  swap(perSecond: number, nowMs: number): void {
    if ((this.#never ? 1 : this.#perSecond) === perSecond) return;
    const waits = !this.take(nowMs);
    this.#perSecond = perSecond;
    this.#never = perSecond <= 0;
    this.#readyMs = nowMs;
    if (waits) this.take(nowMs);
  }
}
