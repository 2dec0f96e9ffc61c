// Writes Pod statuses to the API server: only what changed, from the newest version of the object, never for a Pod of
// another UID, and again later when the server is away (kubelet's status manager).

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { ContainerStatus, PodCondition, PodStatus } from "#cluster/api/generated/types.ts";
import { pods as podType } from "#cluster/api/kinds.ts";
import { keyOf } from "#cluster/api/objects.ts";
import type { Int64 } from "#cluster/api/wire.ts";
import type { Client } from "#cluster/client/client.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { isStatic, type StoredPod } from "../pod-spec.ts";
import { kubeletConditionTypes } from "./conditions.ts";
import { isSameValue } from "./same-value.ts";

const retryMs = 10_000;
/** Of those that the kubelet and others write. */
const sharedCondition = "DisruptionTarget";

export interface StatusManagerOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  /** The mirror pod of a static pod, when the API has one. */
  readonly mirrorOf: (pod: StoredPod) => StoredPod | undefined;
}

export class StatusManager {
  readonly #options: StatusManagerOptions;
  /** `container 139 Error`: how often a container has ended so. */
  readonly terminations = new Map<string, number>();
  readonly #statuses = new Map<string, PodStatus>();
  readonly #pending = new Map<string, StoredPod>();
  #retry: Timer | undefined;

  constructor(options: StatusManagerOptions) {
    this.#options = options;
  }

  /** The newest status known here; what the API says until the first one is set. */
  get(pod: StoredPod): PodStatus {
    return this.#statuses.get(pod.metadata.uid) ?? pod.status ?? {};
  }

  /**
   * Takes note of conditions that others wrote or took away (readiness gates, DisruptionTarget); true when there was
   * something new. What they wrote over the kubelet's own is written again within ten seconds (syncBatch, needsReconcile).
   */
  adopt(pod: StoredPod): boolean {
    const own = this.#statuses.get(pod.metadata.uid);
    const others = pod.status?.conditions;
    if (own === undefined || others === undefined || isSameValue(own.conditions, others)) return false;
    const before = own.conditions ?? [];
    if (!isKept(before, others)) this.#writeLater(pod);
    const names = new Set(before.map((condition) => condition.type));
    const kept = before.flatMap((condition) => {
      const theirs = others.find((other) => other.type === condition.type);
      if (kubeletConditionTypes.has(condition.type)) return [condition];
      return theirs ?? (condition.type === sharedCondition ? [condition] : []);
    });
    const foreign = others.filter(({ type }) => !names.has(type) && !kubeletConditionTypes.has(type));
    const conditions = [...foreign, ...kept];
    if (isSameValue(conditions, own.conditions)) return false;
    this.#statuses.set(pod.metadata.uid, { ...own, conditions });
    return true;
  }

  /** Sets and writes a status; true when it differs from the last one. */
  set(pod: StoredPod, status: PodStatus): boolean {
    const { uid } = pod.metadata;
    const before = this.#statuses.get(uid);
    if (before !== undefined && isSameValue(before, status)) return false;
    const old = before ?? pod.status;
    this.#count("init_container", old?.initContainerStatuses, status.initContainerStatuses);
    this.#count("container", old?.containerStatuses, status.containerStatuses);
    this.#count("ephemeral_container", old?.ephemeralContainerStatuses, status.ephemeralContainerStatuses);
    this.#statuses.set(uid, status);
    this.#write(pod);
    return true;
  }

  /** Those that have ended since `old`. */
  #count(type: string, old: readonly ContainerStatus[] = [], statuses: readonly ContainerStatus[] = []): void {
    for (const { name, state } of statuses) {
      const ended = state?.terminated;
      if (ended === undefined || old.some((each) => each.name === name && each.state?.terminated !== undefined)) continue;
      const key = `${type} ${ended.exitCode} ${ended.reason ?? ""}`;
      this.terminations.set(key, (this.terminations.get(key) ?? 0) + 1);
    }
  }

  /** Writes what is there again, if the API has something else: a mirror pod that was made anew. */
  refresh(pod: StoredPod): void {
    const mirror = this.#options.mirrorOf(pod);
    const status = this.#statuses.get(pod.metadata.uid);
    if (status !== undefined && !isSameValue(mirror?.status, status)) this.#write(pod);
  }

  forget(uid: string): void {
    this.#statuses.delete(uid);
    this.#pending.delete(uid);
  }

  #write(pod: StoredPod): void {
    const target = isStatic(pod) ? this.#options.mirrorOf(pod) : pod;
    if (target === undefined) return;
    const status = this.#statuses.get(pod.metadata.uid) as PodStatus;
    const { client } = this.#options;
    try {
      const { name, namespace } = target.metadata;
      const newest = client.get(podType, { namespace: namespace ?? "", name });
      if (newest.metadata.uid !== target.metadata.uid) return;
      this.#pending.delete(pod.metadata.uid);
      const generation = newest.metadata.generation;
      const written = isStatic(pod) && generation !== undefined ? withGeneration(status, generation) : status;
      if (!isSameValue(newest.status, written)) client.patchStatus(podType, { ...newest, status: written });
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return;
      this.#writeLater(pod);
      if (!(error instanceof ApiUnreachable) && !(error instanceof ApiError))
        this.#options.simulation.faults.note("kubelet", `status of ${keyOf(pod)}`, error);
    }
  }

  #writeLater(pod: StoredPod): void {
    this.#pending.set(pod.metadata.uid, pod);
    if (this.#retry !== undefined) return;
    this.#retry = this.#options.simulation.after(
      retryMs,
      () => {
        this.#retry = undefined;
        const pods = [...this.#pending.values()];
        this.#pending.clear();
        for (const each of pods) if (this.#statuses.has(each.metadata.uid)) this.#write(each);
      },
      { background: true },
    );
  }
}

/** Whether the kubelet's own conditions stand in a list as it wrote them. */
function isKept(own: readonly PodCondition[], listed: readonly PodCondition[]): boolean {
  return own.every(({ type, status, reason, message }) => {
    if (!kubeletConditionTypes.has(type)) return true;
    const there = listed.find((each) => each.type === type);
    return there?.status === status && there.reason === reason && there.message === message;
  });
}

function withGeneration(status: PodStatus, generation: Int64): PodStatus {
  return {
    ...status,
    observedGeneration: generation,
    ...(status.conditions === undefined
      ? {}
      : { conditions: status.conditions.map((condition) => ({ ...condition, observedGeneration: generation })) }),
  };
}
