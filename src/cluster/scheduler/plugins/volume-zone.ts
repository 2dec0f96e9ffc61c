// VolumeZone: volumes that carry a zone or region as a label are reached from nodes with the same (plugins/volumezone).

import type { PersistentVolume, PersistentVolumeClaim, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { InformerFactory } from "#cluster/client/informer-factory.ts";
import { claimsOf } from "#cluster/volumes/pod-claims.ts";
import { type ClusterEvent, type FilterPreparation, type Plugin, rejection, skip } from "../framework.ts";
import { lateHints } from "../late-hints.ts";
import type { PodInfo } from "../pod-info.ts";
import { knownClaims } from "./pod-claims.ts";

/** What names from before 1.17, which volumes and nodes may still bear, are today. */
const currentLabels: { readonly [label: string]: string } = {
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
};
const topologyLabels = [...Object.values(currentLabels), ...Object.keys(currentLabels)];
const conflict = rejection("VolumeZone", "node(s) had no available volume zone", true);

export class VolumeZone implements Plugin {
  readonly name = "VolumeZone";
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;

  constructor(informers: InformerFactory) {
    this.#claims = informers.informer(kinds.persistentVolumeClaims);
    this.#volumes = informers.informer(kinds.persistentVolumes);
  }

  prepareFilter({ pod }: PodInfo): FilterPreparation {
    const wanted = claimsOf(pod).length === 0 ? [] : knownClaims(pod, this.#claims).flatMap((claim) => this.#topologiesOf(claim));
    if (wanted.length === 0) return skip;
    return {
      kind: "filter",
      filter: ({ node }) => {
        const labels = node?.metadata.labels ?? {};
        // Nodes without any topology are single-zone clusters: nothing to tell apart.
        if (topologyLabels.every((label) => labels[label] === undefined)) return undefined;
        const labelled = (label: string): string => labels[label] ?? labels[currentLabels[label] ?? ""] ?? "";
        return wanted.every(({ label, values }) => values.includes(labelled(label))) ? undefined : conflict;
      },
    };
  }

  mayHelp(event: ClusterEvent, pod: Stored<Pod>): boolean {
    return lateHints.code.zoneMayHelp(event, pod);
  }

  /** Several zones stand in one label, with "__" between them. */
  #topologiesOf(claim: PersistentVolumeClaim): readonly { readonly label: string; readonly values: readonly string[] }[] {
    const labels = this.#volumes.get(claim.spec?.volumeName ?? "")?.metadata.labels ?? {};
    return topologyLabels.flatMap((label) => {
      const value = labels[label];
      return value === undefined ? [] : [{ label, values: value.split("__") }];
    });
  }
}
