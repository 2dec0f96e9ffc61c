// Questions about a Deployment's ReplicaSets (pkg/controller/deployment/util).

import { compareBytes } from "#cluster/api/json-write.ts";
import { sameValue } from "#cluster/client/equality.ts";
import type { Deployment, IntOrString, ReplicaSet } from "./types.ts";

export const revisionAnnotation = "deployment.kubernetes.io/revision";
export const revisionHistoryAnnotation = "deployment.kubernetes.io/revision-history";
export const desiredReplicasAnnotation = "deployment.kubernetes.io/desired-replicas";
export const maxReplicasAnnotation = "deployment.kubernetes.io/max-replicas";
export const templateHashLabel = "pod-template-hash";

/** Annotations of a Deployment that its ReplicaSets do not get. */
const ownAnnotations: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  "deprecated.deployment.rollback.to",
]);

export function desiredReplicas(object: { readonly spec?: { readonly replicas?: number } }): number {
  return object.spec?.replicas ?? 1;
}

export function isRollingUpdate(deployment: Deployment): boolean {
  return deployment.spec?.strategy?.type !== "Recreate";
}

/** A percentage of `total`, or a number; percentages round up for surge and down for unavailability. */
export function resolveShare(value: IntOrString | undefined, total: number, round: "up" | "down"): number {
  if (value === undefined) return 0;
  if (typeof value === "number") return value;
  const share = (Number.parseInt(value, 10) * total) / 100;
  return round === "up" ? Math.ceil(share) : Math.floor(share);
}

interface Limits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** Both resolving to 0 would stop every rollout: then one Pod may be unavailable. */
export function rollingLimits(deployment: Deployment): Limits {
  if (!isRollingUpdate(deployment)) return { maxSurge: 0, maxUnavailable: 0 };
  const replicas = desiredReplicas(deployment);
  const rolling = deployment.spec?.strategy?.rollingUpdate;
  const maxSurge = resolveShare(rolling?.maxSurge, replicas, "up");
  const maxUnavailable = resolveShare(rolling?.maxUnavailable, replicas, "down");
  const bounded = maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable;
  return { maxSurge, maxUnavailable: replicas === 0 ? 0 : Math.min(bounded, replicas) };
}

export function sumDesired(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + desiredReplicas(set), 0);
}

export function sumActual(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + (set.status?.replicas ?? 0), 0);
}

export function sumReady(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + (set.status?.readyReplicas ?? 0), 0);
}

export function sumAvailable(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + (set.status?.availableReplicas ?? 0), 0);
}

export function sumTerminating(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + (set.status?.terminatingReplicas ?? 0), 0);
}

/** Sets that ask for Pods. */
export function activeSets(sets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return sets.filter((set) => desiredReplicas(set) > 0);
}

/** Oldest first; of equal age by name. */
export function byCreation(a: ReplicaSet, b: ReplicaSet): number {
  const [before, after] = [a.metadata, b.metadata];
  if (before.creationTimestamp !== after.creationTimestamp) return before.creationTimestamp < after.creationTimestamp ? -1 : 1;
  return compareBytes(before.name, after.name);
}

/** Largest first; of equal size the newer one. */
export function bySizeNewer(a: ReplicaSet, b: ReplicaSet): number {
  return desiredReplicas(b) - desiredReplicas(a) || byCreation(b, a);
}

/** Largest first; of equal size the older one. */
export function bySizeOlder(a: ReplicaSet, b: ReplicaSet): number {
  return desiredReplicas(b) - desiredReplicas(a) || byCreation(a, b);
}

/** 0 for a set that never had a revision, or has none that is a whole number of 64 bits. */
export function revisionOf(set: ReplicaSet): bigint {
  return revisionIn(set.metadata.annotations?.[revisionAnnotation]) ?? 0n;
}

function revisionIn(text = ""): bigint | undefined {
  const value = /^[+-]?\d+$/.test(text) ? BigInt(text.replace("+", "")) : undefined;
  return value === undefined || BigInt.asIntN(64, value) !== value ? undefined : value;
}

export function maxRevision(sets: readonly ReplicaSet[]): bigint {
  return sets.map(revisionOf).reduce((max, one) => (one > max ? one : max), 0n);
}

export function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  return Number(revisionOf(a) - revisionOf(b));
}

export function numberAnnotation(set: ReplicaSet, name: string): number | undefined {
  const text = set.metadata.annotations?.[name];
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
}

type Template = NonNullable<NonNullable<Deployment["spec"]>["template"]>;

/** Equal but for the hash label. */
export function sameTemplate(a: Template | undefined, b: Template | undefined): boolean {
  return sameValue(withoutHash(a), withoutHash(b));
}

function withoutHash(template: Template | undefined): Template | undefined {
  const labels = template?.metadata?.labels;
  if (labels?.[templateHashLabel] === undefined) return template;
  const { [templateHashLabel]: _hash, ...rest } = labels;
  return { ...template, metadata: { ...template?.metadata, labels: rest } } as Template;
}

/** The oldest set with the Deployment's template: rollouts with clashing hashes may have left several. */
export function findNewSet(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const sorted = [...sets].sort(byCreation);
  return sorted.find((set) => sameTemplate(set.spec?.template, deployment.spec?.template));
}

/** What a new set has or gets of the Deployment's annotations, and its revision. */
export function newSetAnnotations(
  deployment: Deployment,
  existing: { readonly [name: string]: string } | undefined,
  revision: bigint,
): { readonly [name: string]: string } {
  const annotations: { [name: string]: string } = { ...existing };
  let changed = false;
  for (const [name, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (ownAnnotations.has(name) || annotations[name] === value) continue;
    annotations[name] = value;
    changed = true;
  }
  const former = annotations[revisionAnnotation];
  if ((revisionIn(former || "0") ?? revision) < revision) {
    annotations[revisionAnnotation] = String(revision);
    changed = true;
    // Rolled back to this set: the numbers that it had stay known.
    if (former !== undefined) {
      const history = annotations[revisionHistoryAnnotation];
      annotations[revisionHistoryAnnotation] = history === undefined || history === "" ? former : `${history},${former}`;
    }
  }
  return changed ? annotations : (existing ?? annotations);
}

/** How many replicas the new set may ask for now. */
export function newSetReplicas(deployment: Deployment, others: readonly ReplicaSet[], current: number): number {
  const wanted = desiredReplicas(deployment);
  if (!isRollingUpdate(deployment)) return wanted;
  const total = sumDesired(others) + current;
  const room = wanted + rollingLimits(deployment).maxSurge - total;
  if (room <= 0) return current;
  return current + Math.min(room, wanted - current);
}

/** The new set has all replicas, knows it, and all are available. */
export function isSaturated(deployment: Deployment, newSet: ReplicaSet | undefined): boolean {
  if (newSet === undefined) return false;
  const wanted = desiredReplicas(deployment);
  return (
    desiredReplicas(newSet) === wanted &&
    numberAnnotation(newSet, desiredReplicasAnnotation) === wanted &&
    (newSet.status?.availableReplicas ?? 0) === wanted
  );
}
