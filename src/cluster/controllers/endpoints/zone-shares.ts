// How many endpoints of a Service each zone should have, by its share of the nodes' processors (endpointslice/topologycache).

import type { Node } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { parseQuantity, quantityMilliValue } from "#cluster/api/quantity.ts";

/** Each zone's part of the processors, 1 together, in the order of the alphabet. */
type Shares = ReadonlyMap<string, number>;

export type Allocations = ReadonlyMap<string, { readonly maximum: number; readonly desired: number }>;

/** An endpoint bears a fifth more than its share at most. */
const bearable = 1 / (1 + 0.2);

/** Undefined where nodes do not say enough of themselves, or are in one zone only. */
export function sharesOf(nodes: Iterable<Stored<Node>>): Shares | undefined {
  const byZone = new Map<string, number>();
  let total = 0;
  for (const node of nodes) {
    const { labels = {} } = node.metadata;
    if (controlPlaneLabels.some((label) => labels[label] !== undefined) || !isReady(node)) continue;
    const zone = labels["topology.kubernetes.io/zone"];
    const milliCpu = quantityMilliValue(parseQuantity(node.status?.allocatable?.["cpu"] ?? "0"));
    if (!zone || milliCpu === 0) return undefined;
    byZone.set(zone, (byZone.get(zone) ?? 0) + milliCpu);
    total += milliCpu;
  }
  if (byZone.size < 2) return undefined;
  return new Map([...byZone].sort(([a], [b]) => compareBytes(a, b)).map(([zone, milliCpu]) => [zone, milliCpu / total]));
}

const controlPlaneLabels = ["node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"];

export function isReady({ status }: Stored<Node>): boolean {
  return status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";
}

/** For so many endpoints, or why not. */
export function allocate(shares: Shares | undefined, count: number): Allocations | string {
  if (shares === undefined) return "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes";
  const size = `(${count} endpoints, ${shares.size} zones)`;
  if (shares.size > count) return `Insufficient number of endpoints ${size}`;
  const all = [...shares].map(([zone, share]) => ({ zone, desired: share * count, minimum: Math.ceil(share * count * bearable) }));
  const spare = all.reduce((rest, { minimum }) => rest - minimum, count);
  if (spare < 0) return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${size}`;
  return new Map(
    all.map(({ zone, desired, minimum }) => [zone, { maximum: minimum + spare, desired: Math.max(desired, minimum) }]),
  );
}

/** Whether some zone has fewer endpoints than it needs. */
export function isOverloaded(given: ReadonlyMap<string, number>, shares: Shares | undefined): boolean {
  if (given.size === 0 || shares === undefined) return given.size > 0;
  const total = [...given.values()].reduce((sum, count) => sum + count, 0);
  return [...shares].some(([zone, share]) => (given.get(zone) ?? -1) < Math.ceil(total * share * bearable));
}

/** How many endpoints zones give away and get: whole ones, and half ones where the other side has a whole one. */
export function moves(allocations: Allocations, given: ReadonlyMap<string, number>) {
  const surplus = new Map([...allocations].map(([zone, { desired }]) => [zone, (given.get(zone) ?? 0) - desired]));
  const giving = new Map<string, number>();
  const receiving = new Map<string, number>();
  for (;;) {
    const [from, most] = extreme(surplus, 1);
    const [to, least] = extreme(surplus, -1);
    if (from === undefined || to === undefined || Math.max(most, least) < 1 || Math.min(most, least) < 0.5) break;
    giving.set(from, (giving.get(from) ?? 0) + 1);
    receiving.set(to, (receiving.get(to) ?? 0) + 1);
    surplus.set(from, Math.max(most - 1, 0));
    surplus.set(to, Math.min(1 - least, 0));
  }
  return { giving, receiving };
}

/** The zone with the greatest surplus, or lack (-1), and how much that is; the first of several. */
function extreme(surplus: ReadonlyMap<string, number>, sign: 1 | -1): readonly [zone: string | undefined, amount: number] {
  let found: readonly [string | undefined, number] = [undefined, 0];
  for (const [zone, amount] of surplus) if (amount * sign > found[1]) found = [zone, amount * sign];
  return found;
}
