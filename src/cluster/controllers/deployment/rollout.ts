// One pass over one Deployment: reads its ReplicaSets once, writes, and keeps what the writes returned
// (pkg/controller/deployment: sync.go, rolling.go, recreate.go).

import { ApiError } from "#cluster/api/errors.ts";
import type { ReplicaSet as ReplicaSetWire } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type Draft, keyOf, splitKey } from "#cluster/api/objects.ts";
import { sameValue } from "#cluster/client/equality.ts";
import { hasCause, isReason } from "#cluster/client/retry.ts";
import type { ControllerContext } from "../context.ts";
import type { Requeue } from "../controller.ts";
import { controllerReference, isControlledBy } from "../ownership.ts";
import { podTemplateHash } from "../pod-template-hash.ts";
import { findCondition, makeCondition, setCondition } from "./conditions.ts";
import { countStatus, isComplete, progressDeadlineSeconds, rolloutStatus, untilDeadlineMs } from "./progress.ts";
import * as sets from "./replica-sets.ts";
import { proportionalSizes } from "./scaling.ts";
import type { Deployment, DeploymentStatus, ReplicaSet } from "./types.ts";

export class Rollout {
  readonly #context: ControllerContext;
  #deployment: Deployment;
  #newSet: ReplicaSet | undefined;
  #oldSets: readonly ReplicaSet[];

  /** `owned`: the Deployment's ReplicaSets. */
  constructor(context: ControllerContext, deployment: Deployment, owned: readonly ReplicaSet[]) {
    this.#context = context;
    this.#deployment = deployment;
    this.#newSet = sets.findNewSet(deployment, owned);
    this.#oldSets = owned.filter((set) => set !== this.#newSet).sort(sets.byCreation);
  }

  get #all(): readonly ReplicaSet[] {
    return this.#newSet === undefined ? this.#oldSets : [...this.#oldSets, this.#newSet];
  }

  get #nowMs(): number {
    return this.#context.simulation.nowMs;
  }

  /** Notes that a rollout is paused or goes on, so that standing still is not held against it. */
  notePause(): void {
    if (progressDeadlineSeconds(this.#deployment) === undefined) return;
    const current = findCondition(this.#deployment.status?.conditions, "Progressing");
    if (current?.reason === "ProgressDeadlineExceeded") return;
    const paused = this.#deployment.spec?.paused === true;
    const noted = current?.reason === "DeploymentPaused";
    if (paused === noted) return;
    const condition = paused
      ? makeCondition("Progressing", "Unknown", "DeploymentPaused", "Deployment is paused", this.#nowMs)
      : makeCondition("Progressing", "Unknown", "DeploymentResumed", "Deployment is resumed", this.#nowMs);
    const conditions = setCondition(this.#deployment.status?.conditions ?? [], condition);
    this.#deployment = this.#context.client.updateStatus(kinds.deployments, {
      ...this.#deployment,
      status: { ...this.#deployment.status, conditions },
    });
  }

  /** The user changed spec.replicas since the sets were last sized. */
  isScaling(): boolean {
    const wanted = sets.desiredReplicas(this.#deployment);
    return sets.activeSets(this.#all).some((set) => {
      const annotated = sets.numberAnnotation(set, sets.desiredReplicasAnnotation);
      return annotated !== undefined && annotated !== wanted;
    });
  }

  /** Deleted: nothing is touched but the status. */
  syncStatusOnly(): void {
    this.#syncNewSet(false);
    this.#writeStatus(countStatus(this.#deployment, this.#all, this.#newSet, this.#nowMs));
  }

  /** Paused, or scaled by the user: sizes are set, no rollout step is made. */
  syncScale(): void {
    this.#syncNewSet(false);
    this.#scale();
    if (this.#deployment.spec?.paused === true) this.#cleanUp();
    this.#writeStatus(countStatus(this.#deployment, this.#all, this.#newSet, this.#nowMs));
  }

  rollingUpdate(): Requeue | undefined {
    this.#syncNewSet(true);
    if (this.#scaleUpNewSet() || this.#scaleDownOldSets()) return this.#syncRolloutStatus();
    if (isComplete(this.#deployment, this.#deployment.status)) this.#cleanUp();
    return this.#syncRolloutStatus();
  }

  /** `oldPodsRunning`: whether Pods of the sets given have not ended yet. */
  recreate(oldPodsRunning: (sets: readonly ReplicaSet[]) => boolean): Requeue | undefined {
    this.#syncNewSet(false);
    const active = sets.activeSets(this.#oldSets);
    if (active.length > 0) {
      for (const set of active) this.#resize(set, 0);
      return this.#syncRolloutStatus();
    }
    if (sets.sumActual(this.#oldSets) > 0 || oldPodsRunning(this.#oldSets)) return this.#syncRolloutStatus();
    if (this.#newSet === undefined) this.#syncNewSet(true);
    if (this.#newSet !== undefined) this.#resize(this.#newSet, sets.desiredReplicas(this.#deployment));
    if (isComplete(this.#deployment, this.#deployment.status)) this.#cleanUp();
    return this.#syncRolloutStatus();
  }

  // The new set.

  #syncNewSet(create: boolean): void {
    const revision = sets.maxRevision(this.#oldSets) + 1n;
    if (this.#newSet !== undefined) this.#updateNewSet(this.#newSet, revision);
    else if (create) this.#createNewSet(revision);
  }

  #updateNewSet(set: ReplicaSet, revision: bigint): void {
    const annotations = sets.newSetAnnotations(this.#deployment, set.metadata.annotations, revision);
    const minReadySeconds = this.#deployment.spec?.minReadySeconds ?? 0;
    let current = set;
    if (annotations !== set.metadata.annotations || minReadySeconds !== (set.spec?.minReadySeconds ?? 0)) {
      const { minReadySeconds: _old, ...spec } = specOf(set);
      current = this.#context.client.update(kinds.replicaSets, {
        ...set,
        metadata: { ...set.metadata, annotations },
        spec: minReadySeconds === 0 ? spec : { ...spec, minReadySeconds },
      });
      this.#newSet = current;
    }
    const reason = `Found new replica set "${current.metadata.name}"`;
    this.#noteRevision(
      current,
      findCondition(this.#deployment.status?.conditions, "Progressing") === undefined ? ["FoundNewReplicaSet", reason] : undefined,
    );
  }

  /** Copies the set's revision to the Deployment, with a Progressing condition where one is due. */
  #noteRevision(set: ReplicaSet, progress: readonly [reason: string, message: string] | undefined): void {
    const revision = set.metadata.annotations?.[sets.revisionAnnotation] ?? "";
    const annotations = this.#deployment.metadata.annotations;
    const due = progress !== undefined && progressDeadlineSeconds(this.#deployment) !== undefined ? progress : undefined;
    if (annotations?.[sets.revisionAnnotation] === revision && due === undefined) return;
    const conditions = this.#deployment.status?.conditions ?? [];
    this.#deployment = this.#context.client.updateStatus(kinds.deployments, {
      ...this.#deployment,
      metadata: { ...this.#deployment.metadata, annotations: { ...annotations, [sets.revisionAnnotation]: revision } },
      status: {
        ...this.#deployment.status,
        conditions:
          due === undefined
            ? conditions
            : setCondition(conditions, makeCondition("Progressing", "True", due[0], due[1], this.#nowMs)),
      },
    });
  }

  #createNewSet(revision: bigint): void {
    const draft = this.#newSetDraft(revision);
    const name = draft.metadata?.name ?? "";
    let created: ReplicaSet;
    let existed = false;
    try {
      created = this.#context.client.create(kinds.replicaSets, draft);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason !== "AlreadyExists") this.#failCreation(error);
      created = this.#existingTwin(name);
      existed = true;
    }
    this.#newSet = created;
    const size = sets.desiredReplicas(created);
    if (!existed && size > 0) this.#tellScaled(name, 0, size);
    this.#noteRevision(created, existed ? undefined : ["NewReplicaSetCreated", `Created new replica set "${name}"`]);
  }

  #newSetDraft(revision: bigint): Draft<ReplicaSetWire> & { readonly metadata?: { readonly name?: string } } {
    const deployment = this.#deployment;
    const template = deployment.spec?.template ?? {};
    const hash = podTemplateHash(template, deployment.status?.collisionCount);
    const labels = { ...template.metadata?.labels, [sets.templateHashLabel]: hash };
    const selector = deployment.spec?.selector ?? {};
    const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
    return {
      metadata: {
        name: `${deployment.metadata.name}-${hash}`,
        namespace: deployment.metadata.namespace ?? "",
        ownerReferences: [controllerReference(deployment)],
        labels,
        annotations: { ...sets.newSetAnnotations(deployment, undefined, revision), ...this.#sizeAnnotations() },
      },
      spec: {
        replicas: sets.newSetReplicas(deployment, this.#oldSets, 0),
        ...(minReadySeconds === 0 ? {} : { minReadySeconds }),
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [sets.templateHashLabel]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    };
  }

  /** The set of that name when it is this very revision; else the hash collides and another is tried in the next pass. */
  #existingTwin(name: string): ReplicaSet {
    const { client } = this.#context;
    const namespace = this.#deployment.metadata.namespace ?? "";
    const twin = client.get(kinds.replicaSets, { namespace, name });
    const own = isControlledBy(twin, this.#deployment.metadata.uid);
    if (own && sets.sameTemplate(twin.spec?.template, this.#deployment.spec?.template)) return twin;
    const collisionCount = (this.#deployment.status?.collisionCount ?? 0) + 1;
    client.updateStatus(kinds.deployments, { ...this.#deployment, status: { ...this.#deployment.status, collisionCount } });
    throw new ApiError({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      reason: "AlreadyExists",
      code: 409,
      message: `replicasets.apps "${name}" already exists`,
    });
  }

  #failCreation(error: ApiError): never {
    if (!hasCause(error, "NamespaceTerminating") && progressDeadlineSeconds(this.#deployment) !== undefined) {
      const condition = makeCondition("Progressing", "False", "ReplicaSetCreateError", error.message, this.#nowMs);
      const conditions = setCondition(this.#deployment.status?.conditions ?? [], condition);
      this.#context.client.updateStatus(kinds.deployments, {
        ...this.#deployment,
        status: { ...this.#deployment.status, conditions },
      });
    }
    throw error;
  }

  // Sizes.

  #scaleUpNewSet(): boolean {
    const set = this.#newSet;
    if (set === undefined) return false;
    const size = sets.desiredReplicas(set);
    const wanted = sets.desiredReplicas(this.#deployment);
    if (size === wanted) return false;
    const target = size > wanted ? wanted : sets.newSetReplicas(this.#deployment, this.#oldSets, size);
    return this.#resize(set, target);
  }

  #scaleDownOldSets(): boolean {
    const active = sets.activeSets(this.#oldSets);
    if (active.length === 0 || this.#newSet === undefined) return false;
    const minAvailable = sets.desiredReplicas(this.#deployment) - sets.rollingLimits(this.#deployment).maxUnavailable;
    const newUnavailable = sets.desiredReplicas(this.#newSet) - (this.#newSet.status?.availableReplicas ?? 0);
    const spare = sets.sumDesired(this.#all) - minAvailable - newUnavailable;
    if (spare <= 0) return false;
    const cleaned = this.#removeUnhealthy(spare);
    return cleaned !== undefined && (this.#removeSpare(minAvailable) || cleaned);
  }

  /**
   * Replicas of old sets that are not available cost nothing to remove, and would hold up the rollout. Undefined where a set still
   * counts more than it should have: nothing else may go by its numbers.
   */
  #removeUnhealthy(limit: number): boolean | undefined {
    let left = limit;
    for (const set of sets.activeSets(this.#oldSets)) {
      if (left <= 0) break;
      const size = sets.desiredReplicas(set);
      const count = Math.min(left, size - (set.status?.availableReplicas ?? 0));
      if (count < 0) return undefined;
      if (count === 0) continue;
      this.#resize(set, size - count);
      left -= count;
    }
    return left < limit;
  }

  #removeSpare(minAvailable: number): boolean {
    let left = sets.sumAvailable(this.#all) - minAvailable;
    let changed = false;
    for (const set of sets.activeSets(this.#oldSets)) {
      if (left <= 0) break;
      const size = sets.desiredReplicas(set);
      const count = Math.min(size, left);
      changed = this.#resize(set, size - count) || changed;
      left -= count;
    }
    return changed;
  }

  #scale(): void {
    const wanted = sets.desiredReplicas(this.#deployment);
    const only = this.#activeOrLatest();
    if (only !== undefined) {
      if (sets.desiredReplicas(only) !== wanted) this.#resize(only, wanted);
      return;
    }
    if (sets.isSaturated(this.#deployment, this.#newSet)) {
      for (const set of sets.activeSets(this.#oldSets)) this.#resize(set, 0);
      return;
    }
    if (!sets.isRollingUpdate(this.#deployment)) return;
    for (const [set, size] of proportionalSizes(this.#deployment, sets.activeSets(this.#all))) this.#resize(set, size);
  }

  /** The only active set, or the newest when none is active; undefined when several are. */
  #activeOrLatest(): ReplicaSet | undefined {
    const active = sets.activeSets(this.#all);
    if (active.length === 0) return this.#newSet ?? this.#oldSets.at(-1);
    return active.length === 1 ? active[0] : undefined;
  }

  #sizeAnnotations(): { readonly [name: string]: string } {
    const wanted = sets.desiredReplicas(this.#deployment);
    return {
      [sets.desiredReplicasAnnotation]: String(wanted),
      [sets.maxReplicasAnnotation]: String(wanted + sets.rollingLimits(this.#deployment).maxSurge),
    };
  }

  /** Writes size and the annotations that remember what it was computed from; true when the size changed. */
  #resize(set: ReplicaSet, size: number): boolean {
    const annotations = { ...set.metadata.annotations, ...this.#sizeAnnotations() };
    const former = sets.desiredReplicas(set);
    if (size === former && sameValue(annotations, set.metadata.annotations)) return false;
    const updated = this.#context.client.update(kinds.replicaSets, {
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...specOf(set), replicas: size },
    });
    if (set === this.#newSet) this.#newSet = updated;
    else this.#oldSets = this.#oldSets.map((old) => (old === set ? updated : old));
    if (size === former) return false;
    this.#tellScaled(set.metadata.name, former, size);
    return true;
  }

  #tellScaled(name: string, from: number, to: number): void {
    const direction = to > from ? "up" : "down";
    this.#context.events.normal(
      this.#deployment,
      "ScalingReplicaSet",
      `Scaled ${direction} replica set ${name} from ${from} to ${to}`,
    );
  }

  // History and status.

  #cleanUp(): void {
    const limit = this.#deployment.spec?.revisionHistoryLimit;
    if (limit === undefined) return;
    const candidates = this.#oldSets.filter((set) => set.metadata.deletionTimestamp === undefined);
    const surplus = candidates.length - limit;
    if (surplus <= 0) return;
    const sorted = [...candidates].sort((a, b) => sets.byRevision(a, b) || sets.byCreation(a, b));
    for (const set of sorted.slice(0, surplus)) {
      const observed = (set.status?.observedGeneration ?? 0) >= (set.metadata.generation ?? 0);
      if ((set.status?.replicas ?? 0) !== 0 || sets.desiredReplicas(set) !== 0 || !observed) continue;
      try {
        this.#context.client.delete(kinds.replicaSets, splitKey(keyOf(set)));
      } catch (error) {
        if (!isReason(error, "NotFound")) throw error;
      }
    }
  }

  #syncRolloutStatus(): Requeue | undefined {
    const status = rolloutStatus(this.#deployment, this.#all, this.#newSet, this.#nowMs);
    this.#writeStatus(status);
    const delayMs = untilDeadlineMs(this.#deployment, status, this.#nowMs);
    return delayMs === undefined ? undefined : { requeueAfterMs: delayMs, background: true };
  }

  #writeStatus(status: DeploymentStatus): void {
    if (sameValue(status, this.#deployment.status)) return;
    this.#deployment = this.#context.client.updateStatus(kinds.deployments, { ...this.#deployment, status });
  }
}

function specOf(set: ReplicaSet): NonNullable<ReplicaSet["spec"]> {
  if (set.spec === undefined) throw new TypeError(`ReplicaSet ${set.metadata.name} without spec`);
  return set.spec;
}
