// The zones of a cluster as the node lifecycle controller sees them: in which state each is, how fast its lost nodes are tainted, and
// what it tells of that (node_lifecycle_controller.go, handleDisruption and addPodEvictorForNewZone; metrics.go).

import type { Node } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { type EvictionRates, TaintRate, taintsPerSecond, type ZoneState, zoneState } from "./zone-rates.ts";

/** Nodes of a zone, without those that are excluded. */
export interface ZoneCount {
  ready: number;
  notReady: number;
}

/** What its metrics say of a zone. */
export interface ZoneReport extends Readonly<ZoneCount> {
  /** `REGION:\0:ZONE`, or "" for nodes without labels. */
  readonly zone: string;
  /** Nodes that were tainted since the controller started. */
  readonly evictions: number;
}

/** A line of the controller's log, at a line of its file upstream. */
type Log = (line: number, message: string) => void;

const nobody: Readonly<ZoneCount> = { ready: 0, notReady: 0 };

export class ZoneStates {
  readonly #flags: EvictionRates;
  readonly #log: Log;
  readonly #states = new Map<string, ZoneState | "Initial">();
  readonly #rates = new Map<string, TaintRate>();
  readonly #evictions = new Map<string, number>();
  #counts: ReadonlyMap<string, Readonly<ZoneCount>> = new Map();

  constructor(flags: EvictionRates, log: Log) {
    this.#flags = flags;
    this.#log = log;
  }

  /** Of every zone that was ever seen, as gauges keep what they were set to. */
  get reports(): readonly ZoneReport[] {
    return [...this.#evictions].map(([zone, evictions]) => ({ zone, evictions, ...(this.#counts.get(zone) ?? nobody) }));
  }

  /** A zone that is new, or has no counted nodes any more, begins anew. */
  meet(zone: string): void {
    if (this.#states.has(zone)) return;
    this.#states.set(zone, "Initial");
    this.#rates.set(zone, new TaintRate(this.#flags.normal));
    this.#evictions.set(zone, this.#evictions.get(zone) ?? 0);
    this.#log(1221, `"Initializing eviction metric for zone" zone=${quoted(zone)}`);
  }

  /** How things stand after a look at all nodes. `lost`: from now on nobody is ready in the whole cluster; `back`: somebody is again. */
  judge(counts: ReadonlyMap<string, Readonly<ZoneCount>>, nowMs: number): "lost" | "back" | undefined {
    this.#counts = counts;
    const states = new Map(
      [...counts].map(([zone, { ready, notReady }]) => [zone, zoneState(ready, notReady, this.#flags)] as const),
    );
    for (const zone of this.#states.keys()) if (!states.has(zone)) this.#states.delete(zone);
    const isLost = [...states.values()].every((state) => state === "FullDisruption");
    const wasLost = [...this.#states.values()].every((state) => state === "FullDisruption");
    if (isLost && wasLost) return undefined;
    if (isLost) {
      this.#log(1025, '"Controller detected that all Nodes are not-Ready. Entering master disruption mode"');
      for (const zone of this.#states.keys()) {
        this.#rates.get(zone)?.swap(0, nowMs);
        this.#states.set(zone, "FullDisruption");
      }
      return "lost";
    }
    if (wasLost) this.#log(1044, '"Controller detected that some Nodes are Ready. Exiting master disruption mode"');
    for (const [zone, state] of states) {
      if (!wasLost && this.#states.get(zone) === state) continue;
      if (!wasLost)
        this.#log(1067, `"Controller detected that zone is now in new state" zone=${quoted(zone)} newState=${quoted(state)}`);
      const { ready, notReady } = counts.get(zone) ?? nobody;
      this.#rates.get(zone)?.swap(taintsPerSecond(state, ready + notReady, this.#flags), nowMs);
      this.#states.set(zone, state);
    }
    return wasLost ? "back" : undefined;
  }

  /** Whether a node of the zone may be tainted now; takes the token. */
  take(zone: string, nowMs: number): boolean {
    return this.#rates.get(zone)?.take(nowMs) === true;
  }

  /** When the next one may be; Infinity where no time brings it. */
  nextMs(zone: string): number {
    return this.#rates.get(zone)?.readyMs ?? Number.POSITIVE_INFINITY;
  }

  countEviction(zone: string): void {
    this.#evictions.set(zone, (this.#evictions.get(zone) ?? 0) + 1);
  }
}

/** The former names of the labels come first, as in upstream's GetZoneKey. */
export function zoneOf(node: Stored<Node>): string {
  const labels = node.metadata.labels ?? {};
  const region = labels["failure-domain.beta.kubernetes.io/region"] ?? labels["topology.kubernetes.io/region"] ?? "";
  const zone = labels["failure-domain.beta.kubernetes.io/zone"] ?? labels["topology.kubernetes.io/zone"] ?? "";
  return region === "" && zone === "" ? "" : `${region}:\0:${zone}`;
}

/** As Go's strconv.Quote writes such names. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\\u0000", "\\x00");
}
