// How fast lost nodes of a zone are tainted: slower, or not at all, when so many are lost that the network is the likelier
// cause (node_lifecycle_controller.go, ComputeZoneState).

export type ZoneState = "Normal" | "PartialDisruption" | "FullDisruption";

const unhealthyShare = 0.55;
const largeZoneNodes = 50;
const normalPerSecond = 0.1;
const secondaryPerSecond = 0.01;

export function zoneState(ready: number, notReady: number): ZoneState {
  if (ready === 0 && notReady > 0) return "FullDisruption";
  if (notReady > 2 && notReady / (ready + notReady) >= unhealthyShare) return "PartialDisruption";
  return "Normal";
}

/** Nodes a second that may be tainted NoExecute; `allFull`: no zone has a ready node. */
export function taintsPerSecond(state: ZoneState, zoneSize: number, allFull: boolean): number {
  if (state === "FullDisruption") return allFull ? 0 : normalPerSecond;
  if (state === "PartialDisruption") return zoneSize > largeZoneNodes ? secondaryPerSecond : 0;
  return normalPerSecond;
}

/** A token bucket with room for one: the first node at once. */
export class TaintRate {
  #readyMs = 0;

  /** Whether one may be tainted now; takes the token. */
  take(nowMs: number, perSecond: number): boolean {
    if (perSecond === 0 || nowMs < this.#readyMs) return false;
    this.#readyMs = nowMs + 1000 / perSecond;
    return true;
  }
}
