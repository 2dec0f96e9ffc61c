// Owner references: who controls an object, and how controllers take over and let go of what their selector says.

import type { OwnerReference } from "#cluster/api/generated/types.ts";
import type { JsonValue, ObjectMeta } from "#cluster/api/objects.ts";

export interface Owned {
  readonly metadata: ObjectMeta;
}

/** The one reference with `controller: true`. */
export function controllerOf(object: Owned): OwnerReference | undefined {
  const references = object.metadata.ownerReferences;
  if (references === undefined) return undefined;
  for (const reference of references) if (reference.controller === true) return reference;
  return undefined;
}

export function isControlledBy(object: Owned, uid: string): boolean {
  return controllerOf(object)?.uid === uid;
}

/** Index values: the uid of the controller. */
export function controllerUids(object: Owned): readonly string[] {
  const reference = controllerOf(object);
  return reference === undefined ? noValues : [reference.uid];
}

/** Index values: the namespace of an object without controller. */
export function orphanNamespaces(object: Owned): readonly string[] {
  return controllerOf(object) === undefined ? [object.metadata.namespace ?? ""] : noValues;
}

const noValues: readonly string[] = [];
export const byController = "controllerUid";
export const byOrphanNamespace = "orphanNamespace";

/** The reference that a controller puts on what it makes. */
export function controllerReference(owner: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string };
}): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
}

/** A strategic merge patch that adds a reference; the uid guards against an object of the same name made since. */
export function adoptionPatch(reference: OwnerReference, uid: string): JsonValue {
  return { metadata: { ownerReferences: [{ ...reference }], uid } } as JsonValue;
}

/** A strategic merge patch that removes an owner's reference. */
export function releasePatch(ownerUid: string, uid: string): JsonValue {
  return { metadata: { ownerReferences: [{ $patch: "delete", uid: ownerUid }], uid } };
}
