// Keeps the number of a set's active Pods at spec.replicas (pkg/controller/replicaset): the loop of ReplicaSets, and of
// ReplicationControllers, which upstream runs through the same code by an adapter (pkg/controller/replication).

import { ApiError } from "#cluster/api/errors.ts";
import type { Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { rememberingLast } from "#cluster/api/labels.ts";
import { keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import { sameValue } from "#cluster/client/equality.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { ControllerContext } from "../context.ts";
import { type Controller, type Requeue, type WatchRule, watchRule } from "../controller.ts";
import { Expectations } from "../expectations.ts";
import {
  adopt,
  byController,
  byOrphanNamespace,
  controllerOf,
  controllerReference,
  controllerUids,
  indexByOwner,
  release,
} from "../ownership.ts";
import { isPodActive, podFromTemplate } from "../pods.ts";
import { type OwnedPod, OwnedPods, ownedPod } from "./owned-pods.ts";
import { rankForDeletion } from "./ranking.ts";
import type { ReplicaKind, Replicated } from "./replica-kind.ts";
import { countStatus, type Failure } from "./status.ts";

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
  readonly #expectations = new Expectations();

  constructor(context: ControllerContext, kind: ReplicaKind) {
    this.name = kind.controllerName;
    this.watches = [
      watchRule<Replicated>({ resource: kind.resource, keys: (set) => [keyOf(set)] }),
      watchRule<Pod>({ resource: kinds.pods, keys: (pod, previous, deleted) => this.#setsOfPod(pod, previous, deleted) }),
    ];
    this.#context = context;
    this.#kind = kind;
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
      this.#expectations.forget(key);
      return undefined;
    }
    const nowMs = this.#context.simulation.nowMs;
    const mayAct = this.#expectations.satisfied(key, nowMs);
    const { active, terminating } = this.#claimPods(set);
    let failure: Failure | undefined;
    let error: ApiError | undefined;
    if (mayAct && set.metadata.deletionTimestamp === undefined) {
      error = this.#manage(key, set, active);
      if (error !== undefined) {
        const missing = active.length < (set.spec?.replicas ?? 1);
        failure = { reason: missing ? "FailedCreate" : "FailedDelete", message: error.message };
      }
    }
    const counted = countStatus(set, active, this.#kind.countsTerminating ? terminating : undefined, failure, nowMs);
    if (!sameValue(set.status, counted.status)) {
      this.#context.client.updateStatus(this.#kind.resource, { ...set, status: counted.status });
    }
    if (error !== undefined) throw error;
    return counted.nextAvailableMs === undefined ? undefined : { requeueAfterMs: counted.nextAvailableMs };
  }

  /** Owned Pods that match, after adopting orphans that match and releasing Pods that no longer do. */
  #claimPods(set: Stored<Replicated>): { readonly active: readonly OwnedPod[]; readonly terminating: number } {
    const { client } = this.#context;
    const matches = rememberingLast(this.#kind.matcherOf(set));
    const active: OwnedPod[] = [];
    let terminating = 0;
    for (const owned of this.#owned.of(set.metadata.uid)) {
      const matching = matches(owned.labels);
      if (owned.isActive) {
        if (matching) active.push(owned);
        else if (set.metadata.deletionTimestamp === undefined) release(client, kinds.pods, owned.pod, set.metadata.uid);
      } else if (matching && owned.isTerminating) terminating += 1;
    }
    if (set.metadata.deletionTimestamp !== undefined) return { active, terminating };
    for (const pod of this.#pods.byIndex(byOrphanNamespace, set.metadata.namespace ?? "")) {
      if (!matches(pod.metadata.labels) || !isPodActive(pod)) continue;
      const adopted = adopt(client, kinds.pods, pod, set);
      if (adopted !== undefined) active.push(ownedPod(adopted));
    }
    return { active, terminating };
  }

  #manage(key: string, set: Stored<Replicated>, active: readonly OwnedPod[]): ApiError | undefined {
    const difference = (set.spec?.replicas ?? 1) - active.length;
    if (difference > 0) return this.#createPods(key, set, Math.min(difference, burstReplicas));
    if (difference < 0) return this.#deletePods(key, set, active, Math.min(-difference, burstReplicas));
    return undefined;
  }

  /** In batches of 1, 2, 4 … so that a refusal costs few requests; a batch with a failure is the last. */
  #createPods(key: string, set: Stored<Replicated>, count: number): ApiError | undefined {
    this.#expectations.expectCreations(key, count, this.#context.simulation.nowMs);
    let firstError: ApiError | undefined;
    let tried = 0;
    for (let batch = 1; tried < count && firstError === undefined; batch *= 2) {
      const end = Math.min(count, tried + batch);
      for (; tried < end; tried += 1) {
        const error = this.#createPod(set);
        if (error === undefined) continue;
        this.#expectations.creationSeen(key);
        if (error !== "ignored") firstError ??= error;
      }
    }
    if (tried < count) this.#expectations.creationSeen(key, count - tried);
    return firstError;
  }

  #createPod(set: Stored<Replicated>): ApiError | "ignored" | undefined {
    const { client, events } = this.#context;
    const { name, namespace = "" } = set.metadata;
    const template = set.spec?.template ?? {};
    try {
      const pod = client.create(kinds.pods, podFromTemplate(namespace, template, controllerReference(set), `${name}-`));
      events.normal(set, "SuccessfulCreate", `Created pod: ${pod.metadata.name}`);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The namespace is on its way out: nothing to tell, nothing to try again.
      if (error.status.details?.causes?.some((cause) => cause.reason === "NamespaceTerminating") === true) return "ignored";
      events.warning(set, "FailedCreate", `Error creating: ${error.message}`);
      return error;
    }
  }

  #deletePods(key: string, set: Stored<Replicated>, owned: readonly OwnedPod[], count: number): ApiError | undefined {
    const { client, events, simulation } = this.#context;
    const active = owned.map(({ pod }) => pod);
    const ranked = count < active.length ? rankForDeletion(active, this.#relatedPods(set), simulation.nowMs) : active;
    const victims = ranked.slice(0, count);
    this.#expectations.expectDeletions(
      key,
      victims.map((pod) => pod.metadata.uid),
      simulation.nowMs,
    );
    let firstError: ApiError | undefined;
    for (const pod of victims) {
      try {
        client.delete(kinds.pods, splitKey(keyOf(pod)));
        events.normal(set, "SuccessfulDelete", `Deleted pod: ${pod.metadata.name}`);
      } catch (error) {
        this.#expectations.deletionSeen(key, pod.metadata.uid);
        if (!(error instanceof ApiError)) throw error;
        if (error.reason === "NotFound") continue;
        events.warning(set, "FailedDelete", `Error deleting: ${error.message}`);
        firstError ??= error;
      }
    }
    return firstError;
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
    const keys: string[] = [];
    const owner = this.#ownerKey(pod);
    if (owner !== undefined) {
      keys.push(owner);
      const goingAway = deleted || pod.metadata.deletionTimestamp !== undefined;
      if (goingAway) this.#expectations.deletionSeen(owner, pod.metadata.uid);
      else if (previous === undefined) this.#expectations.creationSeen(owner);
    }
    const former = previous === undefined ? undefined : this.#ownerKey(previous);
    if (former !== undefined && former !== owner) keys.push(former);
    if (owner === undefined && !deleted && pod.metadata.deletionTimestamp === undefined && becameOrphan(pod, previous)) {
      for (const set of this.#sets.listNamespace(pod.metadata.namespace ?? "")) {
        if (this.#kind.matcherOf(set)(pod.metadata.labels)) keys.push(keyOf(set));
      }
    }
    return keys;
  }

  #ownerKey(pod: Stored<Pod>): string | undefined {
    const reference = controllerOf(pod);
    if (reference?.kind !== this.#kind.resource.kind) return undefined;
    const key = `${pod.metadata.namespace ?? ""}/${reference.name}`;
    const set = this.#sets.get(key);
    return set !== undefined && set.metadata.uid === reference.uid ? key : undefined;
  }
}

/** New without controller, let go, or relabelled. */
function becameOrphan(pod: Stored<Pod>, previous: Stored<Pod> | undefined): boolean {
  if (controllerOf(pod) !== undefined) return false;
  if (previous === undefined || controllerOf(previous) !== undefined) return true;
  return !sameValue(pod.metadata.labels, previous.metadata.labels);
}
