// How many Pods a disruption budget counts with, and how many must be healthy (pkg/controller/disruption: getExpectedPodCount).

import type {
  Deployment,
  OwnerReference,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { groupVersionOf, type Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { InformerFactory } from "#cluster/client/informer-factory.ts";
import { controllerOf } from "../ownership.ts";

/** Why the scale of a Pod's owner cannot be told. */
export class ScaleError extends Error {}

export interface ExpectedPods {
  readonly expected: number;
  readonly desiredHealthy: number;
  /** Pods whose owner would have to be asked, and that have none. */
  readonly unmanaged: number;
}

interface Scaled {
  readonly uid: string;
  readonly replicas: number;
}

export class ExpectedPodCounter {
  readonly #deployments: Informer<Deployment>;
  readonly #replicaSets: Informer<ReplicaSet>;
  readonly #statefulSets: Informer<StatefulSet>;
  readonly #replicationControllers: Informer<ReplicationController>;

  constructor(informers: InformerFactory) {
    this.#deployments = informers.informer(kinds.deployments);
    this.#replicaSets = informers.informer(kinds.replicaSets);
    this.#statefulSets = informers.informer(kinds.statefulSets);
    this.#replicationControllers = informers.informer(kinds.replicationControllers);
  }

  /** Throws ScaleError where a share is asked for of Pods whose owner has no scale. */
  count(budget: Stored<PodDisruptionBudget>, pods: readonly Stored<Pod>[]): ExpectedPods {
    const { maxUnavailable, minAvailable } = budget.spec ?? {};
    if (maxUnavailable !== undefined) {
      const { expected, unmanaged } = this.#scaleOf(pods);
      return { expected, unmanaged, desiredHealthy: Math.max(0, expected - shareOf(maxUnavailable, expected)) };
    }
    if (typeof minAvailable === "number") return { expected: pods.length, desiredHealthy: minAvailable, unmanaged: 0 };
    if (minAvailable === undefined) return { expected: 0, desiredHealthy: 0, unmanaged: 0 };
    const { expected, unmanaged } = this.#scaleOf(pods);
    return { expected, unmanaged, desiredHealthy: shareOf(minAvailable, expected) };
  }

  /** The sum of what the Pods' owners want. */
  #scaleOf(pods: readonly Stored<Pod>[]): { readonly expected: number; readonly unmanaged: number } {
    const scales = new Map<string, number>();
    const known = new Set<string>();
    let unmanaged = 0;
    for (const pod of pods) {
      const owner = controllerOf(pod);
      if (owner === undefined) unmanaged += 1;
      else if (!known.has(owner.uid)) {
        known.add(owner.uid);
        const scaled = this.#find(owner, pod.metadata.namespace ?? "");
        if (scaled === undefined) throw new ScaleError(`found no controllers for pod ${JSON.stringify(pod.metadata.name)}`);
        scales.set(scaled.uid, scaled.replicas);
      }
    }
    return { expected: [...scales.values()].reduce((sum, replicas) => sum + replicas, 0), unmanaged };
  }

  #find(owner: OwnerReference, namespace: string): Scaled | undefined {
    const key = `${namespace}/${owner.name}`;
    const type = kinds.builtInTypes.find((one) => one.kind === owner.kind && groupVersionOf(one) === owner.apiVersion);
    switch (type) {
      case kinds.replicationControllers:
        return scaledOf(this.#replicationControllers.get(key), owner.uid);
      case kinds.statefulSets:
        return scaledOf(this.#statefulSets.get(key), owner.uid);
      case kinds.replicaSets: {
        const set = this.#replicaSets.get(key);
        const above = set === undefined ? undefined : controllerOf(set);
        if (above?.kind !== "Deployment") return scaledOf(set, owner.uid);
        return scaledOf(this.#deployments.get(`${namespace}/${above.name}`), above.uid);
      }
      case undefined:
        throw new ScaleError(`no matches for kind ${JSON.stringify(owner.kind)} in version ${JSON.stringify(owner.apiVersion)}`);
      default:
        throw new ScaleError(`${type.plural}${type.group === "" ? "" : `.${type.group}`} does not implement the scale subresource`);
    }
  }
}

function scaledOf(
  object: { readonly metadata: { readonly uid: string }; readonly spec?: { readonly replicas?: number } } | undefined,
  uid: string,
): Scaled | undefined {
  return object === undefined || object.metadata.uid !== uid ? undefined : { uid, replicas: object.spec?.replicas ?? 1 };
}

/** A number, or a percentage of `total` rounded up. */
function shareOf(amount: number | string, total: number): number {
  return typeof amount === "number" ? amount : Math.ceil((Number.parseInt(amount, 10) * total) / 100);
}
