// One pass over a StatefulSet (stateful_set_control.go: updateStatefulSet): living ordinals upwards, surplus ones downwards,
// then the update downwards; with ordered Pods each step waits for the one before.

import { ApiError } from "#cluster/api/errors.ts";
import type {
  ControllerRevision,
  PersistentVolumeClaim,
  Pod,
  StatefulSet,
  StatefulSetStatus,
} from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import { sameValue } from "#cluster/client/equality.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerContext } from "../context.ts";
import type { Requeue } from "../controller.ts";
import type { OwnWrites } from "../own-writes.ts";
import { availableInMs, isPodEnded, podPhase } from "../pods.ts";
import { ClaimsUnready, createClaims, hasStaleClaim, podOwner, settleClaims } from "./claims.ts";
import { ordinalOf } from "./ordinals.ts";
import { type SetRevisions, setRevisions, templateOf, trimRevisions } from "./set-revisions.ts";
import { firstOrdinal, isAvailable, isRunningAndReady, isTerminating, revisionOf, statefulPod } from "./stateful-pods.ts";

interface Place {
  readonly ordinal: number;
  /** Absent where a Pod is still to be made. */
  readonly pod: Stored<Pod> | undefined;
}

export interface SetPassParts {
  readonly context: ControllerContext;
  readonly ownWrites: OwnWrites;
  readonly claims: Informer<PersistentVolumeClaim>;
}

export class SetPass {
  readonly #context: ControllerContext;
  readonly #ownWrites: OwnWrites;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #set: Stored<StatefulSet>;
  readonly #pods: readonly Stored<Pod>[];
  readonly #owned: readonly Stored<ControllerRevision>[];
  readonly #revisions: SetRevisions;
  readonly #isOrdered: boolean;
  /** Pods of the current revision that this pass added or took away, and so of the update revision. */
  readonly #moved = { current: 0, updated: 0, replicas: 0 };

  constructor(
    { context, ownWrites, claims }: SetPassParts,
    set: Stored<StatefulSet>,
    pods: readonly Stored<Pod>[],
    owned: readonly Stored<ControllerRevision>[],
  ) {
    this.#context = context;
    this.#ownWrites = ownWrites;
    this.#claims = claims;
    this.#set = set;
    this.#pods = pods;
    this.#owned = owned;
    this.#revisions = setRevisions(context.client, owned, set);
    this.#isOrdered = set.spec?.podManagementPolicy !== "Parallel";
  }

  run(): Requeue | undefined {
    const { nowMs } = this.#context.simulation;
    let failure: ApiError | ClaimsUnready | undefined;
    try {
      if (this.#set.metadata.deletionTimestamp === undefined) this.#act();
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ClaimsUnready)) throw error;
      failure = error;
    }
    const status = this.#status(nowMs);
    if (!sameValue(this.#set.status, status)) {
      const written = this.#context.client.updateStatus(kinds.statefulSets, { ...this.#set, status });
      this.#ownWrites.wrote(keyOf(this.#set), this.#set.metadata.uid, kinds.statefulSets, written);
    }
    if (failure !== undefined) throw failure;
    const live = new Set([status.currentRevision ?? "", status.updateRevision ?? "", ...this.#pods.map(revisionOf)]);
    trimRevisions(this.#context.client, this.#owned, this.#set, live);
    const { minReadySeconds = 0, replicas = 1 } = this.#set.spec ?? {};
    if (minReadySeconds === 0) return undefined;
    if (status.availableReplicas !== replicas) return { requeueAfterMs: minReadySeconds * 1000 };
    // One that is about to go may still wait for its time, and all above it with it; a second more, as upstream has it.
    const isAwaited = this.#pods.some((pod) => (availableInMs(pod, minReadySeconds, nowMs) ?? 0) > 0);
    return isAwaited ? { requeueAfterMs: (minReadySeconds + 1) * 1000 } : undefined;
  }

  #act(): void {
    const { replicas: count = 1, updateStrategy } = this.#set.spec ?? {};
    const first = firstOrdinal(this.#set);
    const byOrdinal = new Map<number, Stored<Pod>>();
    for (const pod of this.#pods) {
      const ordinal = ordinalOf(this.#set, pod);
      if (ordinal !== undefined) byOrdinal.set(ordinal, pod);
    }
    const living: readonly Place[] = Array.from({ length: count }, (_, index) => {
      const ordinal = first + index;
      return { ordinal, pod: byOrdinal.get(ordinal) };
    });
    const surplus = [...byOrdinal]
      .filter(([ordinal]) => ordinal < first || ordinal >= first + count)
      .sort(([a], [b]) => b - a)
      .map(([ordinal, pod]) => ({ ordinal, pod }));
    for (const place of living) if (!this.#tend(place) && this.#isOrdered) return;
    for (const { ordinal, pod } of surplus) this.#settleClaims(ordinal, pod.metadata.uid, true);
    if (!this.#shrink(surplus)) return;
    if ((updateStrategy?.type ?? "RollingUpdate") === "RollingUpdate") this.#roll(living);
  }

  /** Brings one ordinal to life; whether the next may be looked at. */
  #tend({ ordinal, pod }: Place): boolean {
    const { simulation } = this.#context;
    if (pod === undefined) {
      if (!hasStaleClaim(this.#claims, this.#set, ordinal)) this.#create(ordinal);
      return false;
    }
    if (isPodEnded(pod)) {
      if (isTerminating(pod)) return false;
      this.#delete(pod);
      return false;
    }
    if (podPhase(pod) === "Pending") {
      createClaims(this.#context, this.#claims, this.#set, ordinal);
      this.#settleClaims(ordinal, pod.metadata.uid, false);
    }
    const isAwaited = isTerminating(pod) || !isAvailable(this.#set, pod, simulation.nowMs);
    if (isAwaited && this.#isOrdered) return false;
    this.#settleClaims(ordinal, pod.metadata.uid, false);
    return !isAwaited;
  }

  #settleClaims(ordinal: number, podUid: string, isSurplus: boolean): void {
    const pod = podOwner(`${this.#set.metadata.name}-${ordinal}`, podUid);
    settleClaims(this.#context, this.#claims, this.#set, { pod, ordinal }, isSurplus);
  }

  /** Takes surplus Pods away, from the highest; whether the update may go on. */
  #shrink(surplus: readonly { readonly pod: Stored<Pod> }[]): boolean {
    const unhealthy = [...surplus].reverse().find(({ pod }) => isTerminating(pod) || !isRunningAndReady(pod))?.pod;
    for (const { pod } of surplus) {
      if (isTerminating(pod)) {
        if (this.#isOrdered) return false;
        continue;
      }
      if (this.#isOrdered && !isAvailable(this.#set, pod, this.#context.simulation.nowMs) && pod !== unhealthy) return false;
      this.#delete(pod);
      if (this.#isOrdered) return false;
    }
    return true;
  }

  /** Deletes the highest Pod that is not up to date, once all above it are healthy again. */
  #roll(living: readonly Place[]): void {
    const partition = this.#set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
    const update = this.#revisions.update.metadata.name;
    for (const { ordinal, pod } of [...living].reverse()) {
      if (ordinal - firstOrdinal(this.#set) < partition || pod === undefined) return;
      if (revisionOf(pod) !== update && !isTerminating(pod)) {
        this.#delete(pod);
        if (revisionOf(pod) === this.#revisions.current.metadata.name) this.#moved.current -= 1;
        return;
      }
      if (isTerminating(pod) || !isAvailable(this.#set, pod, this.#context.simulation.nowMs)) return;
    }
  }

  #create(ordinal: number): void {
    const { client, events } = this.#context;
    const { name: setName } = this.#set.metadata;
    const podName = `${setName}-${ordinal}`;
    const isCurrent = this.#staysCurrent(ordinal);
    const revision = isCurrent ? this.#revisions.current : this.#revisions.update;
    try {
      createClaims(this.#context, this.#claims, this.#set, ordinal);
      const pod = client.create(kinds.pods, statefulPod(this.#set, templateOf(revision), revision.metadata.name, ordinal));
      this.#ownWrites.wrote(keyOf(this.#set), this.#set.metadata.uid, kinds.pods, pod);
    } catch (error) {
      if (error instanceof ClaimsUnready || (error instanceof ApiError && error.reason !== "AlreadyExists")) {
        events.warning(this.#set, "FailedCreate", `Create Pod ${podName} in StatefulSet ${setName} failed error: ${error.message}`);
      }
      throw error;
    }
    // As far as the claims are known by now; upstream does not know the Pod's uid here either.
    this.#settleClaims(ordinal, "", false);
    events.normal(this.#set, "SuccessfulCreate", `Create Pod ${podName} in StatefulSet ${setName} successful`);
    this.#moved.replicas += 1;
    if (revision.metadata.name === this.#revisions.current.metadata.name) this.#moved.current += 1;
    if (revision.metadata.name === this.#revisions.update.metadata.name) this.#moved.updated += 1;
  }

  /** Below the partition Pods come back as they were. */
  #staysCurrent(ordinal: number): boolean {
    const { type = "RollingUpdate", rollingUpdate } = this.#set.spec?.updateStrategy ?? {};
    if (type !== "RollingUpdate") return false;
    const limit = rollingUpdate === undefined ? (this.#set.status?.currentReplicas ?? 0) : (rollingUpdate.partition ?? 0);
    return ordinal < firstOrdinal(this.#set) + limit;
  }

  #delete(pod: Stored<Pod>): void {
    const { client, events } = this.#context;
    const { name: setName } = this.#set.metadata;
    try {
      client.delete(kinds.pods, splitKey(keyOf(pod)));
    } catch (error) {
      if (!(error instanceof ApiError) || isReason(error, "NotFound")) throw error;
      const text = `Delete Pod ${pod.metadata.name} in StatefulSet ${setName} failed error: ${error.message}`;
      events.warning(this.#set, "FailedDelete", text);
      throw error;
    }
    events.normal(this.#set, "SuccessfulDelete", `Delete Pod ${pod.metadata.name} in StatefulSet ${setName} successful`);
  }

  #status(nowMs: number): StatefulSetStatus {
    const { current, update, collisionCount } = this.#revisions;
    const set = this.#set;
    const healthy = this.#pods.filter((pod) => !isTerminating(pod));
    const of = (revision: Stored<ControllerRevision>): number =>
      healthy.filter((pod) => revisionOf(pod) === revision.metadata.name).length;
    const replicas = this.#pods.length + this.#moved.replicas;
    const readyReplicas = this.#pods.filter(isRunningAndReady).length;
    const availableReplicas = this.#pods.filter((pod) => isAvailable(set, pod, nowMs)).length;
    const updatedReplicas = of(update) + this.#moved.updated;
    let currentReplicas = of(current) + this.#moved.current;
    let currentRevision = current.metadata.name;
    const wanted = set.spec?.replicas ?? 1;
    const isDone = updatedReplicas === wanted && readyReplicas === wanted && replicas === wanted;
    if ((set.spec?.updateStrategy?.type ?? "RollingUpdate") === "RollingUpdate" && isDone) {
      currentReplicas = updatedReplicas;
      currentRevision = update.metadata.name;
    }
    return {
      observedGeneration: set.metadata.generation ?? 0,
      replicas,
      ...(readyReplicas === 0 ? {} : { readyReplicas }),
      ...(currentReplicas === 0 ? {} : { currentReplicas }),
      ...(updatedReplicas === 0 ? {} : { updatedReplicas }),
      currentRevision,
      updateRevision: update.metadata.name,
      collisionCount,
      availableReplicas,
    };
  }
}
