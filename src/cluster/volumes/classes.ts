// The storage class of claims and volumes, and what it says about binding.

import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import type { Stored } from "#cluster/api/objects.ts";

/** `provisioner` of classes for volumes that are made by hand. */
export const noProvisioner = "kubernetes.io/no-provisioner";
/** Older than the field `storageClassName`; it still counts. */
export const classAnnotation = "volume.beta.kubernetes.io/storage-class";
const defaultAnnotations = ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];

/** The annotation is older than the field and still counts. */
export function classOf(annotations: { readonly [name: string]: string } | undefined, className: string | undefined): string {
  return annotations?.[classAnnotation] ?? className ?? "";
}

/** "" for none. */
export function classOfClaim({ metadata, spec }: Stored<PersistentVolumeClaim>): string {
  return classOf(metadata.annotations, spec?.storageClassName);
}

/** "" for none. */
export function classOfVolume({ metadata, spec }: Stored<PersistentVolume>): string {
  return classOf(metadata.annotations, spec?.storageClassName);
}

export function isDefaultClass({ metadata }: StorageClass): boolean {
  return defaultAnnotations.some((name) => metadata?.annotations?.[name] === "true");
}

/** Of several defaults the newest, among equals the first by name. */
export function defaultClass(classes: Iterable<Stored<StorageClass>>): Stored<StorageClass> | undefined {
  const [first] = [...classes].filter(isDefaultClass).sort((a, b) => {
    const [left, right] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
    if (left !== right) return left > right ? -1 : 1;
    return compareBytes(a.metadata.name, b.metadata.name);
  });
  return first;
}

/** Binding waits for a Pod. */
export function waitsForConsumer(storageClass: StorageClass | undefined): boolean {
  return storageClass?.volumeBindingMode === "WaitForFirstConsumer";
}
