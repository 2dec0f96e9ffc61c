// Owner references: who controls an object, and how controllers take over and let go of what their selector says.

import type { OwnerReference } from "#cluster/api/generated/types.ts";
import { type JsonValue, keyOf, type ObjectMeta, type ResourceType, type Stored, splitKey } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { sameValue } from "#cluster/client/equality.ts";
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

/** The key of what controls an object, when it is of this kind, there, and still the one that the reference means. */
export function ownerKey<T>(object: Owned, owners: Informer<T>): string | undefined {
  const reference = controllerOf(object);
  if (reference?.kind !== owners.resource.kind) return undefined;
  const key = `${object.metadata.namespace ?? ""}/${reference.name}`;
  return owners.get(key)?.metadata.uid === reference.uid ? key : undefined;
}

/**
 * Keys of the owners that an object's event concerns: what controls it and what did before; for one that has come to be an
 * orphan or has other labels, all that would adopt it.
 */
export function concernedOwners<T>(
  object: Owned,
  previous: Owned | undefined,
  deleted: boolean,
  owners: Informer<T>,
  wouldAdopt: (owner: Stored<T>) => boolean,
): readonly string[] {
  const owner = ownerKey(object, owners);
  const former = previous === undefined ? undefined : ownerKey(previous, owners);
  const isSought = !deleted && object.metadata.deletionTimestamp === undefined && becameOrphan(object, previous);
  if (owner === undefined && former === undefined && !isSought) return noValues;
  const keys: string[] = [];
  if (owner !== undefined) keys.push(owner);
  if (former !== undefined && former !== owner) keys.push(former);
  if (!isSought) return keys;
  for (const other of owners.listNamespace(object.metadata.namespace ?? "")) {
    const key = keyOf(other);
    if (key !== former && wouldAdopt(other)) keys.push(key);
  }
  return keys;
}

/** New without controller, let go, or relabelled. */
function becameOrphan(object: Owned, previous: Owned | undefined): boolean {
  if (controllerOf(object) !== undefined) return false;
  if (previous === undefined || controllerOf(previous) !== undefined) return true;
  return !sameValue(object.metadata.labels, previous.metadata.labels);
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
