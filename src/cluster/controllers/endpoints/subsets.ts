// Subsets of Endpoints beyond the plain case of one set of ports and few addresses (pkg/api/v1/endpoints, RepackSubsets;
// pkg/controller/endpoint, truncateEndpoints).

import type { EndpointAddress } from "#cluster/api/generated/types.ts";
import type { ResolvedPort } from "./service-endpoints.ts";

/** Addresses with the same ports. */
export interface Group {
  readonly ports: readonly ResolvedPort[];
  readonly ready: readonly EndpointAddress[];
  readonly notReady: readonly EndpointAddress[];
}

const maxAddresses = 1000;

/** From Pods by all their ports to ports by all their Pods: ports that the same Pods have share a subset. */
export function byPorts(groups: readonly Group[]): readonly Group[] {
  const owners = new Map<string, { readonly port: ResolvedPort; readonly groups: Group[] }>();
  for (const group of groups) {
    for (const port of group.ports) {
      const id = JSON.stringify(port);
      const owner = owners.get(id);
      if (owner === undefined) owners.set(id, { port, groups: [group] });
      else owner.groups.push(group);
    }
  }
  const shared = Map.groupBy(owners.values(), (owner) => owner.groups.map((group) => groups.indexOf(group)).join());
  return [...shared.values()].map((same) => ({
    ports: same.map(({ port }) => port),
    ready: same[0]?.groups.flatMap(({ ready }) => ready) ?? [],
    notReady: same[0]?.groups.flatMap(({ notReady }) => notReady) ?? [],
  }));
}

/** Ready addresses first; each subset gives up its part of those that are too many. The groups themselves where they are few. */
export function withinCapacity(groups: readonly Group[]): readonly Group[] {
  const count = (addresses: (group: Group) => readonly EndpointAddress[]): number =>
    groups.reduce((sum, group) => sum + addresses(group).length, 0);
  const ready = count((group) => group.ready);
  const notReady = count((group) => group.notReady);
  if (ready + notReady <= maxAddresses) return groups;
  const keepsNotReady = ready <= maxAddresses;
  const [room, wanted] = keepsNotReady ? [maxAddresses - ready, notReady] : [maxAddresses, ready];
  let left = room;
  return groups.map((group) => {
    const addresses = keepsNotReady ? group.notReady : group.ready;
    const kept = addresses.slice(0, Math.min(left, Math.ceil((addresses.length / wanted) * room)));
    left -= kept.length;
    return keepsNotReady ? { ...group, notReady: kept } : { ...group, ready: kept, notReady: [] };
  });
}
