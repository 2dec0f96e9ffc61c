// VolumeRestrictions: a claim for a single Pod (ReadWriteOncePod) is used by one Pod at a time (plugins/volumerestrictions).

import type { PersistentVolumeClaim, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { InformerFactory } from "#cluster/client/informer-factory.ts";
import { claimsOf } from "#cluster/volumes/pod-claims.ts";
import type { SchedulerCache } from "../cache.ts";
import { type ClusterEvent, type FilterPreparation, type Plugin, rejection, skip } from "../framework.ts";
import { lateHints } from "../late-hints.ts";
import type { NodeInfo } from "../node-info.ts";
import type { PodInfo } from "../pod-info.ts";
import { knownClaims } from "./pod-claims.ts";

const inUse = rejection(
  "VolumeRestrictions",
  "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode",
);

export class VolumeRestrictions implements Plugin {
  readonly name = "VolumeRestrictions";
  readonly #claims: Informer<PersistentVolumeClaim>;

  constructor(informers: InformerFactory) {
    this.#claims = informers.informer(kinds.persistentVolumeClaims);
  }

  prepareFilter({ pod }: PodInfo, cache: SchedulerCache): FilterPreparation {
    const single = claimsOf(pod).length === 0 ? new Set<string>() : this.#singleClaims(pod);
    if (single.size === 0) return skip;
    const uses = (node: NodeInfo): boolean => [...node.pods.values()].some((other) => shares(other.pod, pod, single));
    return { kind: "filter", filter: () => (cache.nodes.some(uses) ? inUse : undefined) };
  }

  mayHelp(event: ClusterEvent, pod: Stored<Pod>): boolean {
    return lateHints.code.restrictionsMayHelp(event, pod);
  }

  #singleClaims(pod: Stored<Pod>): ReadonlySet<string> {
    const single = knownClaims(pod, this.#claims).filter(({ spec }) => spec?.accessModes?.includes("ReadWriteOncePod") === true);
    return new Set(single.map(({ metadata }) => metadata.name));
  }
}

function shares(other: Stored<Pod>, pod: Stored<Pod>, claims: ReadonlySet<string>): boolean {
  return other.metadata.namespace === pod.metadata.namespace && claimsOf(other).some(({ name }) => claims.has(name));
}
