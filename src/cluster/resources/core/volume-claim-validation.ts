// The template of the claim that is made for an ephemeral volume (pkg/apis/core/validation:
// ValidatePersistentVolumeClaimTemplate, ValidatePersistentVolumeClaimSpec).

import type { PersistentVolumeClaimSpec, PersistentVolumeClaimTemplate } from "#cluster/api/generated/types.ts";
import { dns1123SubdomainReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import { quantitySign, tryParseQuantity } from "#cluster/api/quantity.ts";
import type { FieldErrors, Path } from "../field-errors.ts";
import { validateBy, validateLabelMap, validateLabelSelector } from "./selector-validation.ts";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const volumeModes = ["Block", "Filesystem"];

/** In the order of Go's ObjectMeta: what a template's metadata may not have. */
const forbiddenMetadata = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "ownerReferences",
  "finalizers",
  "managedFields",
] as const;

export function validateClaimTemplate({ metadata, spec }: PersistentVolumeClaimTemplate, path: Path, errors: FieldErrors): void {
  for (const key in metadata?.annotations ?? {}) {
    validateBy((name) => qualifiedNameReasons(name.toLowerCase()), key, path.child("metadata", "annotations"), errors);
  }
  if (metadata?.labels !== undefined) validateLabelMap(metadata.labels, path.child("metadata", "labels"), errors);
  for (const name of forbiddenMetadata) {
    const value = metadata?.[name];
    if (value) errors.forbidden(path.child("metadata", name), "cannot be set");
  }
  validateClaimSpec(spec ?? {}, path.child("spec"), errors);
}

export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: Path, errors: FieldErrors): void {
  const modes = spec.accessModes ?? [];
  const at = path.child("accessModes");
  if (modes.length === 0) errors.required(at, "at least 1 access mode is required");
  validateLabelSelector(spec.selector, path.child("selector"), errors);
  for (const mode of modes) if (!accessModes.includes(mode)) errors.notSupported(at, mode, accessModes);
  const isExclusive = modes.includes("ReadWriteOncePod");
  if (isExclusive && modes.some((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode))) {
    errors.forbidden(at, "may not use ReadWriteOncePod with other access modes");
  }
  const storage = spec.resources?.requests?.["storage"];
  const storagePath = path.child("resources").key("storage");
  const amount = storage === undefined ? undefined : tryParseQuantity(storage);
  if (storage === undefined) errors.required(storagePath);
  else if (amount !== undefined && quantitySign(amount) <= 0) errors.invalid(storagePath, storage, "must be greater than zero");
  if (spec.storageClassName) {
    validateBy(dns1123SubdomainReasons, spec.storageClassName, path.child("storageClassName"), errors);
  }
  if (spec.volumeMode !== undefined && !volumeModes.includes(spec.volumeMode)) {
    errors.notSupported(path.child("volumeMode"), spec.volumeMode, volumeModes);
  }
  if (spec.volumeAttributesClassName) {
    validateBy(dns1123SubdomainReasons, spec.volumeAttributesClassName, path.child("volumeAttributesClassName"), errors);
  }
}
