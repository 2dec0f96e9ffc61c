// Hints of slices for a Service that asks for them by the annotation service.kubernetes.io/topology-mode: each zone's clients get as many
// endpoints as is the zone's share of the nodes' processors (endpointslice/topologycache). Where upstream takes zones by chance, they are
// taken in the order of the alphabet.

import type { Endpoint, EndpointSlice, Node, Service } from "#cluster/api/generated/types.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { type PlannedService, planSlices, type SliceContent, type SlicePlan } from "./slice-plan.ts";
import { type Allocations, allocate, isOverloaded, isReady, moves, sharesOf } from "./zone-shares.ts";

export class TopologyHints {
  readonly #nodes: Informer<Node>;
  readonly #events: EventRecorder;
  /** How many endpoints each zone has, of the Services with hints. */
  readonly #given = new Map<string, ReadonlyMap<string, number>>();

  constructor(nodes: Informer<Node>, events: EventRecorder) {
    this.#nodes = nodes;
    this.#events = events;
  }

  /** What becomes of a Service's slices, hints among it; events of the Service tell when it gets some, and why it has none. */
  plan(service: Stored<Service>, planned: PlannedService): SlicePlan {
    const key = keyOf(service);
    if (!asksForHints(service)) {
      if (this.#given.delete(key)) this.#tellNone(service, "Topology Aware Hints has been disabled");
      return planSlices(planned);
    }
    const draft = new HintedPlan(planned);
    const allocations = allocate(sharesOf(this.#nodes.list()), draft.readyCount);
    const given = typeof allocations === "string" ? allocations : draft.giveHints(allocations);
    if (typeof given === "string") {
      this.#given.delete(key);
      this.#tellNone(service, given);
      return draft.withoutHints();
    }
    if (!this.#given.has(key))
      this.#events.normal(service, "TopologyAwareHintsEnabled", "Topology Aware Hints has been enabled, addressType: IPv4");
    this.#given.set(key, given);
    return draft.plan;
  }

  /** Services that have too few endpoints for some zone, when a node has come, gone, or is ready or not. */
  overloadedBy(node: Stored<Node>, previous: Stored<Node> | undefined, deleted: boolean): readonly string[] {
    if (!deleted && previous !== undefined && isReady(node) === isReady(previous)) return [];
    const shares = sharesOf(this.#nodes.list());
    return [...this.#given].flatMap(([key, given]) => (isOverloaded(given, shares) ? [key] : []));
  }

  #tellNone(service: Stored<Service>, why: string): void {
    this.#events.warning(service, "TopologyAwareHintsDisabled", `${why}, addressType: IPv4`);
  }
}

/** The older annotation wins. */
function asksForHints({ metadata }: Stored<Service>): boolean {
  const { annotations = {} } = metadata;
  const mode = annotations["service.kubernetes.io/topology-aware-hints"] ?? annotations["service.kubernetes.io/topology-mode"];
  return mode === "Auto" || mode === "auto";
}

/** A slice that changes, and the endpoints that it gets. */
interface Change {
  readonly content: SliceContent | SlicePlan["update"][number];
  readonly endpoints: Endpoint[];
}

/** A plan that is made without looking at hints, which come after it. */
class HintedPlan {
  readonly #drafted: SlicePlan;
  /** In the order in which their endpoints get hints. */
  readonly #changes: Change[];
  #unchanged: readonly Stored<EndpointSlice>[];

  constructor(planned: PlannedService) {
    const existing = planned.existing.map((slice) => ({ ...slice, endpoints: (slice.endpoints ?? []).map(withoutHints) }));
    const groups = planned.groups.map(({ ports, endpoints }) => ({
      ports,
      endpoints: new Map([...endpoints].map(([uid, endpoint]) => [uid, withoutHints(endpoint)])),
    }));
    const drafted = planSlices({ ...planned, existing, groups });
    const { create, update } = drafted;
    const touched = new Set([...update.map(({ slice }) => slice), ...drafted.delete]);
    // What recycles a slice was a new one, of which the last were taken first.
    const recycled = update.filter(({ isRecycled }) => isRecycled).toReversed();
    const changed = update.filter(({ isRecycled }) => !isRecycled);
    this.#drafted = drafted;
    this.#changes = [...create, ...recycled, ...changed].map((content) => ({ content, endpoints: [...content.endpoints] }));
    this.#unchanged = planned.existing.filter((_slice, index) => !touched.has(existing[index] as Stored<EndpointSlice>));
  }

  get readyCount(): number {
    const all = [...this.#changes, ...this.#unchanged].flatMap(({ endpoints }) => endpoints ?? []);
    return all.filter(isReadyEndpoint).length;
  }

  get plan(): SlicePlan {
    const contents = this.#changes.map(({ content, endpoints }) => ({ ...content, endpoints }));
    return {
      create: contents.filter((content) => !("slice" in content)),
      update: contents.filter((content) => "slice" in content),
      delete: this.#drafted.delete,
    };
  }

  withoutHints(): SlicePlan {
    this.#change((slice) => slice.endpoints?.some(({ hints }) => hints !== undefined) === true);
    for (const { endpoints } of this.#changes) endpoints.splice(0, endpoints.length, ...endpoints.map(withoutHints));
    return this.plan;
  }

  /** How many endpoints each zone has then, or why there can be no hints. */
  giveHints(allocations: Allocations): ReadonlyMap<string, number> | string {
    const given = new Map<string, number>();
    this.#change((slice) => {
      const counts = hintsOf(slice, given, allocations);
      for (const [zone, count] of counts ?? []) add(given, zone, count);
      return counts === undefined;
    });
    for (const { endpoints } of this.#changes) {
      for (const [index, endpoint] of endpoints.entries()) {
        if (!isReadyEndpoint(endpoint)) continue;
        if (!endpoint.zone) return "One or more endpoints do not have a zone specified";
        add(given, endpoint.zone, 1);
        endpoints[index] = forZone(endpoint, endpoint.zone);
      }
    }
    this.#redistribute(allocations, given);
    return given.size === 0 ? "No hints allocated for zones" : given;
  }

  /** Endpoints of zones that have too many serve others. */
  #redistribute(allocations: Allocations, given: Map<string, number>): void {
    const { giving, receiving } = moves(allocations, given);
    for (const { endpoints } of this.#changes) {
      for (const [index, endpoint] of endpoints.entries()) {
        const from = endpoint.zone ?? "";
        const [to] = receiving.keys();
        if (to === undefined || !isReadyEndpoint(endpoint) || !giving.has(from)) continue;
        endpoints[index] = forZone(endpoint, to);
        for (const [zones, zone] of [[giving, from] as const, [receiving, to] as const])
          if (add(zones, zone, -1) === 0) zones.delete(zone);
        add(given, from, -1);
        add(given, to, 1);
      }
    }
  }

  /** Of the slices that nothing else changes, those change, too. */
  #change(doesChange: (slice: Stored<EndpointSlice>) => boolean): void {
    const byChange = Map.groupBy(this.#unchanged, doesChange);
    this.#unchanged = byChange.get(false) ?? [];
    for (const slice of byChange.get(true) ?? []) {
      const { ports = [], endpoints = [] } = slice;
      this.#changes.push({ content: { slice, ports, endpoints, isRecycled: false }, endpoints: endpoints.map(withoutHints) });
    }
  }
}

/** How many endpoints of a slice each zone has; undefined where one has no hint, or a hint for a zone that needs none or no more. */
function hintsOf(
  { endpoints = [] }: EndpointSlice,
  given: ReadonlyMap<string, number>,
  allocations: Allocations,
): ReadonlyMap<string, number> | undefined {
  const counts = new Map<string, number>();
  for (const { hints } of endpoints.filter(isReadyEndpoint)) {
    const zones = hints?.forZones ?? [];
    if (zones.length === 0) return undefined;
    for (const { name } of zones) add(counts, name, 1);
  }
  for (const [zone, count] of counts) {
    const allocation = allocations.get(zone);
    if (allocation === undefined || count + (given.get(zone) ?? 0) > allocation.maximum) return undefined;
  }
  return counts;
}

function isReadyEndpoint({ conditions }: Endpoint): boolean {
  return conditions?.ready === true;
}

function forZone(endpoint: Endpoint, name: string): Endpoint {
  return { ...endpoint, hints: { forZones: [{ name }] } };
}

function withoutHints({ hints: _, ...endpoint }: Endpoint): Endpoint {
  return endpoint;
}

function add(counts: Map<string, number>, zone: string, count: number): number {
  const sum = (counts.get(zone) ?? 0) + count;
  counts.set(zone, sum);
  return sum;
}
