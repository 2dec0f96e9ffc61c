// Which volume a claim gets (component-helpers/storage/volume/pv_helpers.go, pkg/controller/volume/persistentvolume/index.go).

import type { Node, ObjectReference, PersistentVolume, PersistentVolumeClaim } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import { matcherOf } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { compareQuantities, parseQuantity } from "#cluster/api/quantity.ts";
import { classOfClaim, classOfVolume } from "./classes.ts";

export const annotations = {
  bindCompleted: "pv.kubernetes.io/bind-completed",
  boundByController: "pv.kubernetes.io/bound-by-controller",
  provisionedBy: "pv.kubernetes.io/provisioned-by",
  selectedNode: "volume.kubernetes.io/selected-node",
  storageProvisioner: "volume.kubernetes.io/storage-provisioner",
  storageProvisionerBeta: "volume.beta.kubernetes.io/storage-provisioner",
} as const;

export type Claim = Stored<PersistentVolumeClaim>;
export type Volume = Stored<PersistentVolume>;

export function hasAnnotation(object: Claim | Volume, name: string): boolean {
  return object.metadata.annotations?.[name] !== undefined;
}

/** What a volume's claimRef says of the claim that it is bound to. */
export function referenceTo({ metadata }: Claim): ObjectReference {
  const { namespace = "", name, uid, resourceVersion } = metadata;
  return { kind: "PersistentVolumeClaim", namespace, name, uid, apiVersion: "v1", resourceVersion };
}

/** `namespace/name` of the claim that a volume is kept for. */
export function claimKeyOf(volume: Volume): string | undefined {
  const reference = volume.spec?.claimRef;
  return reference === undefined ? undefined : `${reference.namespace ?? ""}/${reference.name ?? ""}`;
}

/** Bound to the claim, or kept for one of its name. */
export function isBoundTo(volume: Volume, claim: Claim): boolean {
  const reference = volume.spec?.claimRef;
  if (reference === undefined) return false;
  if (reference.name !== claim.metadata.name || (reference.namespace ?? "") !== claim.metadata.namespace) return false;
  return (reference.uid ?? "") === "" || reference.uid === claim.metadata.uid;
}

/** Compares two amounts of storage; an absent one is nothing. */
function compareStorage(left: string | undefined, right: string | undefined): number {
  return compareQuantities(parseQuantity(left ?? "0"), parseQuantity(right ?? "0"));
}

function capacityOf(volume: Volume): string | undefined {
  return volume.spec?.capacity?.["storage"];
}

function isTooSmall(volume: Volume, claim: Claim): boolean {
  return compareStorage(capacityOf(volume), claim.spec?.resources?.requests?.["storage"]) < 0;
}

function hasOtherMode(volume: Volume, claim: Claim): boolean {
  return (volume.spec?.volumeMode ?? "Filesystem") !== (claim.spec?.volumeMode ?? "Filesystem");
}

function lacksAccessModes(volume: Volume, claim: Claim): boolean {
  const offered = volume.spec?.accessModes ?? [];
  return (claim.spec?.accessModes ?? []).some((mode) => !offered.includes(mode));
}

/** Why the volume that a claim names cannot be its own; undefined when it can. */
export function mismatch(volume: Volume, claim: Claim): string | undefined {
  if (isTooSmall(volume, claim)) return "requested PV is too small";
  if (classOfVolume(volume) !== classOfClaim(claim)) return "storageClassName does not match";
  if (hasOtherMode(volume, claim)) return "incompatible volumeMode";
  return lacksAccessModes(volume, claim) ? "incompatible accessMode" : undefined;
}

export interface MatchOptions {
  /** The class waits for a Pod: without a node, only a volume that is kept for the claim is its own. */
  readonly delaysBinding: boolean;
  /** Chosen for other claims of the same Pod. */
  readonly excluded?: ReadonlySet<string>;
  /** The node that a Pod would run on, with the test whether a volume is reached from there. */
  readonly node?: { readonly node: Stored<Node>; readonly reaches: (volume: Volume, node: Stored<Node>) => boolean };
}

/** The smallest volume that fits, one kept for the claim before all others. */
export function findMatchingVolume(volumes: Iterable<Volume>, claim: Claim, options: MatchOptions): Volume | undefined {
  const selector = claim.spec?.selector;
  const matches = selector === undefined ? undefined : matcherOf(selector);
  const isReached = (volume: Volume): boolean => options.node?.reaches(volume, options.node.node) ?? true;
  let best: Volume | undefined;
  for (const volume of byFewestModes(volumes, claim)) {
    if (options.excluded?.has(volume.metadata.name) === true) continue;
    if (volume.spec?.claimRef !== undefined && !isBoundTo(volume, claim)) continue;
    if (isTooSmall(volume, claim) || hasOtherMode(volume, claim) || volume.metadata.deletionTimestamp !== undefined) continue;
    if (isBoundTo(volume, claim)) return isReached(volume) ? volume : undefined;
    if (options.node === undefined && options.delaysBinding) continue;
    if (volume.status?.phase !== "Available" || matches?.(volume.metadata.labels ?? {}) === false) continue;
    if (classOfVolume(volume) !== classOfClaim(claim) || !isReached(volume)) continue;
    if (best === undefined || isPreferred(volume, best)) best = volume;
  }
  return best;
}

/** Volumes with all the access modes that a claim asks for, those with the fewest besides first. */
function byFewestModes(volumes: Iterable<Volume>, claim: Claim): readonly Volume[] {
  const modes = (volume: Volume): number => volume.spec?.accessModes?.length ?? 0;
  return [...volumes]
    .filter((volume) => !lacksAccessModes(volume, claim))
    .sort((a, b) => modes(a) - modes(b) || compareBytes(a.metadata.name, b.metadata.name));
}

/** A smaller one of as few access modes. */
function isPreferred(volume: Volume, best: Volume): boolean {
  const sameModes = volume.spec?.accessModes?.length === best.spec?.accessModes?.length;
  return sameModes && compareStorage(capacityOf(volume), capacityOf(best)) < 0;
}
