// Keeps the number of a set's active Pods at spec.replicas (pkg/controller/replicaset): the loop of ReplicaSets, and of
// ReplicationControllers, which upstream runs through the same code by an adapter (pkg/controller/replication).

import type { Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { sameValue } from "#cluster/client/equality.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { ControllerContext } from "../context.ts";
import { type Controller, type Requeue, type WatchRule, watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";
import {
  adopt,
  byController,
  byOrphanNamespace,
  concernedOwners,
  controllerOf,
  controllerReference,
  controllerUids,
  indexByOwner,
  ownerKey,
  release,
} from "../ownership.ts";
import { PodControl } from "../pod-control.ts";
import { isPodActive, podFromTemplate } from "../pods.ts";
import { LabelledPods, OwnedPods } from "./owned-pods.ts";
import type { ReplicaKind, Replicated } from "./replica-kind.ts";
import { activeCount, countStatus, type Failure } from "./status.ts";

/** Most Pods that one pass creates or deletes. */
const burstReplicas = 500;

export class ReplicaController implements Controller {
  readonly name: string;
  readonly watches: readonly WatchRule<never>[];
  readonly #context: ControllerContext;
  readonly #kind: ReplicaKind;
  readonly #sets: Informer<Replicated>;
  readonly #pods: Informer<Pod>;
  readonly #owned: OwnedPods;
  readonly #podControl: PodControl;

  constructor(context: ControllerContext, kind: ReplicaKind) {
    this.name = kind.controllerName;
    this.watches = [
      watchRule<Replicated>({ resource: kind.resource, keys: (set) => [keyOf(set)] }),
      watchRule<Pod>({ resource: kinds.pods, keys: (pod, previous, deleted) => this.#setsOfPod(pod, previous, deleted) }),
    ];
    this.#context = context;
    this.#kind = kind;
    this.#podControl = new PodControl(context);
    this.#owned = new OwnedPods(kind.resource.kind);
    this.#sets = context.informers.informer(kind.resource);
    this.#pods = context.informers.informer(kinds.pods);
    this.#sets.addIndex(byController, controllerUids);
    indexByOwner(this.#pods);
  }

  passMs(key: string): number {
    return 10 + (this.#sets.get(key)?.spec?.replicas ?? 0) / 50;
  }

  reconcile(key: string): Requeue | undefined {
    const set = this.#sets.get(key);
    if (set === undefined) {
      this.#podControl.forget(key);
      return undefined;
    }
    this.#podControl.requireSeen(key, set);
    const nowMs = this.#context.simulation.nowMs;
    const mayAct = this.#podControl.satisfied(key);
    const pods = this.#claimPods(set);
    let failure: Failure | undefined;
    let error: Error | undefined;
    if (mayAct && set.metadata.deletionTimestamp === undefined) {
      error = this.#manage(key, set, pods);
      if (error !== undefined) {
        const missing = activeCount(pods) < (set.spec?.replicas ?? 1);
        failure = { reason: missing ? "FailedCreate" : "FailedDelete", message: error.message };
      }
    }
    const counted = countStatus(set, pods, { countsTerminating: this.#kind.countsTerminating, failure, nowMs });
    if (!sameValue(set.status, counted.status)) {
      this.#podControl.updateStatus(this.#kind.resource, { ...set, status: counted.status });
    }
    if (error !== undefined) throw error;
    return counted.nextAvailableMs === undefined ? undefined : { requeueAfterMs: counted.nextAvailableMs };
  }

  /** Owned Pods that match, after adopting orphans that match and releasing Pods that no longer do. */
  #claimPods(set: Stored<Replicated>): readonly LabelledPods[] {
    const { client } = this.#context;
    const isGoing = set.metadata.deletionTimestamp !== undefined;
    const matches = this.#kind.matcherOf(set);
    const claimed: LabelledPods[] = [];
    for (const group of this.#owned.of(set.metadata.uid)) {
      if (matches(group.labels)) claimed.push(group);
      else if (!isGoing) for (const pod of [...group.activePods()]) release(client, kinds.pods, pod, set.metadata.uid);
    }
    if (isGoing) return claimed;
    for (const pod of [...this.#pods.byIndex(byOrphanNamespace, set.metadata.namespace ?? "")]) {
      if (!matches(pod.metadata.labels) || !isPodActive(pod)) continue;
      const adopted = adopt(client, kinds.pods, pod, set);
      if (adopted === undefined) continue;
      const group = new LabelledPods(adopted.metadata.labels);
      group.set(adopted);
      claimed.push(group);
    }
    return claimed;
  }

  #manage(key: string, set: Stored<Replicated>, pods: readonly LabelledPods[]): Error | undefined {
    const { name, namespace = "" } = set.metadata;
    const missing = (set.spec?.replicas ?? 1) - activeCount(pods);
    return this.#podControl.run(key, set, {
      create: Math.min(Math.max(0, missing), burstReplicas),
      make: () => podFromTemplate(namespace, set.spec?.template ?? {}, controllerReference(set), `${name}-`),
      remove: missing < 0 ? this.#surplus(set, pods, Math.min(-missing, burstReplicas)) : [],
    });
  }

  #surplus(set: Stored<Replicated>, pods: readonly LabelledPods[], count: number): readonly Stored<Pod>[] {
    const active = pods.flatMap((group) => [...group.activePods()]);
    if (count === active.length) return active;
    return latePasses.code.rankForDeletion(active, this.#relatedPods(set), this.#context.simulation.nowMs).slice(0, count);
  }

  /** Active Pods of all sets that have the same controller. */
  *#relatedPods(set: Stored<Replicated>): IterableIterator<Stored<Pod>> {
    const owner = controllerOf(set);
    const sets = owner === undefined ? [set] : this.#sets.byIndex(byController, owner.uid);
    for (const related of sets) {
      for (const pod of this.#pods.byIndex(byController, related.metadata.uid)) if (isPodActive(pod)) yield pod;
    }
  }

  #setsOfPod(pod: Stored<Pod>, previous: Stored<Pod> | undefined, deleted: boolean): readonly string[] {
    this.#owned.note(pod, previous, deleted);
    const owner = ownerKey(pod, this.#sets);
    if (owner !== undefined) this.#podControl.seen(owner, pod, previous, deleted);
    return concernedOwners(pod, previous, deleted, this.#sets, (set) => this.#kind.matcherOf(set)(pod.metadata.labels));
  }
}
