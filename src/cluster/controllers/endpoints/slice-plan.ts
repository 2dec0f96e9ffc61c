// Which slices of a Service stay, change, come and go when its endpoints have changed
// (endpointslice/reconciler.go: reconcileByPortMapping, reconcileByAddressType, finalize).

import type { DiscoveryV1EndpointPort, Endpoint, EndpointSlice } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { sameValue } from "#cluster/client/equality.ts";

type Slice = Stored<EndpointSlice>;
type Ports = readonly DiscoveryV1EndpointPort[];

/** Endpoints with the same ports, by the uid of their Pods. */
export interface PortGroup {
  readonly ports: Ports;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
}

export interface SliceContent {
  readonly ports: Ports;
  readonly endpoints: readonly Endpoint[];
}

/** A slice that gets another content; a recycled one serves a new purpose and keeps nothing but its name. */
export interface SliceUpdate extends SliceContent {
  readonly slice: Slice;
  readonly isRecycled: boolean;
}

export interface SlicePlan {
  readonly create: SliceContent[];
  readonly update: SliceUpdate[];
  readonly delete: Slice[];
}

export interface PlannedService {
  /** How many endpoints a slice has at most. */
  readonly maxEndpoints: number;
  /** Slices that carry the Service's name, of the Service's address family. */
  readonly existing: readonly Slice[];
  readonly groups: readonly PortGroup[];
  /** A Service of the same name may have left slices that wait for the garbage collector. */
  isOwned(slice: Slice): boolean;
  /** Whether the slice has the labels that the Service's slices should have. */
  hasLabels(slice: Slice): boolean;
}

/** The plan; what would go is used for what would come, and a Service without endpoints keeps one slice as a placeholder. */
export function planSlices(service: PlannedService): SlicePlan {
  const { existing, groups, isOwned } = service;
  const plan: SlicePlan = { create: [], update: [], delete: existing.filter((slice) => !isOwned(slice)) };
  const byPorts = Map.groupBy(existing.filter(isOwned), ({ ports }) => portKey(ports ?? []));
  for (const group of groups) {
    const key = portKey(group.ports);
    planGroup(service, group, byPorts.get(key) ?? [], plan);
    byPorts.delete(key);
  }
  for (const slices of byPorts.values()) plan.delete.push(...slices);
  if (plan.delete.length === existing.length && plan.create.length === 0) planPlaceholder(service, plan);
  return recycled(plan, isOwned);
}

/** Identifies a set of ports, whatever their order. */
export function portKey(ports: Ports): string {
  const rows = ports.map(({ name = "", port, protocol, appProtocol }) => JSON.stringify([name, port, protocol, appProtocol]));
  return rows.sort().join();
}

/** Slices keep what is still right; the rest fills up slices that change anyway, then one that has room for all, then new ones. */
function planGroup(
  { hasLabels, maxEndpoints }: PlannedService,
  { ports, endpoints }: PortGroup,
  slices: readonly Slice[],
  plan: SlicePlan,
): void {
  const missing = new Map(endpoints);
  const changed: { slice: Slice; kept: Endpoint[] }[] = [];
  const unchanged: Slice[] = [];
  for (const slice of slices) {
    const { kept, isSame } = stillWanted(slice.endpoints ?? [], missing);
    if (!isSame && kept.length === 0) plan.delete.push(slice);
    else if (!isSame || !hasLabels(slice)) changed.push({ slice, kept });
    else unchanged.push(slice);
  }
  const rest = [...missing.values()];
  for (const { kept } of changed.toSorted((a, b) => b.kept.length - a.kept.length)) {
    kept.push(...rest.splice(0, maxEndpoints - kept.length));
  }
  while (rest.length > 0) {
    const slice = sliceToFill(unchanged, rest.length, maxEndpoints);
    if (slice === undefined) plan.create.push({ ports, endpoints: rest.splice(0, maxEndpoints) });
    else changed.push({ slice, kept: [...(slice.endpoints ?? []), ...rest.splice(0)] });
  }
  for (const { slice, kept } of changed) plan.update.push({ slice, ports: slice.ports ?? [], endpoints: kept, isRecycled: false });
}

/** Takes the endpoints that a slice has out of those that are missing. */
function stillWanted(present: readonly Endpoint[], missing: Map<string, Endpoint>) {
  const kept: Endpoint[] = [];
  let isSame = true;
  for (const endpoint of present) {
    const uid = endpoint.targetRef?.uid ?? "";
    const wanted = missing.get(uid);
    if (wanted !== undefined) kept.push(wanted);
    missing.delete(uid);
    isSame &&= wanted !== undefined && sameValue(wanted, endpoint);
  }
  return { kept, isSame };
}

/** The slice that is fullest with so many endpoints more. */
function sliceToFill(slices: readonly Slice[], count: number, maxEndpoints: number): Slice | undefined {
  const taken = ({ endpoints }: Slice) => (endpoints ?? []).length;
  return slices.filter((slice) => taken(slice) + count <= maxEndpoints).toSorted((a, b) => taken(b) - taken(a))[0];
}

function planPlaceholder({ hasLabels }: PlannedService, plan: SlicePlan): void {
  const [slice, ...others] = plan.delete;
  const isPlaceholder = slice !== undefined && (slice.endpoints ?? []).length === 0 && (slice.ports ?? []).length === 0;
  if (isPlaceholder && others.length === 0 && hasLabels(slice)) plan.delete.pop();
  else plan.create.push({ ports: [], endpoints: [] });
}

function recycled(plan: SlicePlan, isOwned: (slice: Slice) => boolean): SlicePlan {
  const create = [...plan.create];
  const update = [...plan.update];
  const going = plan.delete.filter((slice) => {
    const content = isOwned(slice) ? create.pop() : undefined;
    if (content !== undefined) update.push({ slice, ...content, isRecycled: true });
    return content === undefined;
  });
  return { create, update, delete: going };
}
