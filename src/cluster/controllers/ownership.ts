// Owner references: who controls an object, and how controllers take over and let go of what their selector says.

import type { OwnerReference } from "#cluster/api/generated/types.ts";
import { type JsonValue, keyOf, type ObjectMeta, type ResourceType, type Stored, splitKey } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";

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

type Owner = Parameters<typeof controllerReference>[0] & Owned;

/** For an informer whose objects `claim` is asked for. */
export function indexByOwner<T>(informer: Informer<T>): void {
  informer.addIndex(byController, controllerUids);
  informer.addIndex(byOrphanNamespace, orphanNamespaces);
}

/**
 * The objects that belong to an owner (controller_ref_manager.go: ClaimObject): those it controls and that fit, and the
 * orphans of its namespace that fit, which it adopts; what it controls and does not fit is let go. An owner that is being
 * deleted only looks. Throws what the API server refuses.
 */
export function claim<T>(
  client: Client,
  informer: Informer<T>,
  owner: Owner,
  fits: (object: Stored<T>) => boolean,
): readonly Stored<T>[] {
  const { uid, namespace = "", deletionTimestamp } = owner.metadata;
  const own: Stored<T>[] = [];
  for (const object of [...informer.byIndex(byController, uid)]) {
    if (fits(object)) own.push(object);
    else if (deletionTimestamp === undefined) release(client, informer.resource, object, uid);
  }
  if (deletionTimestamp !== undefined) return own;
  for (const object of [...informer.byIndex(byOrphanNamespace, namespace)]) {
    if (object.metadata.deletionTimestamp !== undefined || !fits(object)) continue;
    const adopted = adopt(client, informer.resource, object, owner);
    if (adopted !== undefined) own.push(adopted);
  }
  return own;
}

/** Undefined when the object is gone. The uid guards against one of the same name made since. */
export function adopt<T>(client: Client, type: ResourceType<T>, object: Stored<T>, owner: Owner): Stored<T> | undefined {
  const metadata = { ownerReferences: [{ ...controllerReference(owner) }], uid: object.metadata.uid };
  try {
    return client.patch(type, splitKey(keyOf(object)), "strategic", { metadata } as JsonValue);
  } catch (error) {
    if (isReason(error, "NotFound")) return undefined;
    throw error;
  }
}

/** Takes the owner's reference away. Invalid: it is not there any more, or another object has the name. */
export function release<T>(client: Client, type: ResourceType<T>, object: Stored<T>, ownerUid: string): void {
  const metadata = { ownerReferences: [{ $patch: "delete", uid: ownerUid }], uid: object.metadata.uid };
  try {
    client.patch(type, splitKey(keyOf(object)), "strategic", { metadata });
  } catch (error) {
    if (!isReason(error, "NotFound") && !isReason(error, "Invalid")) throw error;
  }
}
