// The spec of a claim wherever it stands: in a PersistentVolumeClaim, in a StatefulSet, in a pod's ephemeral volume; what it
// must be and what its maker is warned of (pkg/apis/core/validation: ValidatePersistentVolumeClaimSpec, -Template;
// pkg/api/persistentvolumeclaim). Updates of claims are in persistentvolumeclaim-validation.ts.

import type {
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  TypedObjectReference,
} from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, dns1123SubdomainReasons } from "#cluster/api/names.ts";
import { metadataFields } from "#cluster/api/objects.ts";
import { tryParseQuantity } from "#cluster/api/quantity.ts";
import { validateAnnotations } from "../../annotation-validation.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { fractionReason, validatePositive, validateResourceAmount } from "../limits/quantities-validation.ts";
import { validateBy, validateLabelMap, validateLabelSelector } from "../selector-validation.ts";
import { validateAccessModes, validateClassName, volumeModes } from "./volume-modes.ts";

/** `old`: the spec that is to be replaced; groups of its sources are let pass. */
export function validateClaimSpec(
  spec: PersistentVolumeClaimSpec,
  path: Path,
  errors: FieldErrors,
  old?: PersistentVolumeClaimSpec,
): void {
  const { accessModes = [], volumeMode } = spec;
  if (accessModes.length === 0) errors.required(path.child("accessModes"), "at least 1 access mode is required");
  validateLabelSelector(spec.selector, path.child("selector"), errors);
  validateAccessModes(accessModes, path.child("accessModes"), errors);
  const storage = spec.resources?.requests?.["storage"];
  const at = path.child("resources").key("storage");
  if (storage === undefined) errors.required(at);
  else if (tryParseQuantity(storage) !== undefined && validatePositive(storage, at, errors)) {
    validateResourceAmount("storage", storage, at, errors);
  }
  validateClassName(spec.storageClassName, path.child("storageClassName"), errors);
  if (volumeMode !== undefined && !volumeModes.includes(volumeMode)) {
    errors.notSupported(path.child("volumeMode"), volumeMode, volumeModes);
  }
  validateSources(spec, path, errors, (old?.dataSource?.apiGroup ?? old?.dataSourceRef?.apiGroup) !== undefined);
  validateClassName(spec.volumeAttributesClassName, path.child("volumeAttributesClassName"), errors);
}

function validateSources(spec: PersistentVolumeClaimSpec, path: Path, errors: FieldErrors, lenient: boolean): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined) validateSource(dataSource, path.child("dataSource"), errors, lenient);
  if (dataSourceRef === undefined) return;
  const { apiGroup, kind, name, namespace } = dataSourceRef;
  const at = path.child("dataSourceRef");
  validateSource(dataSourceRef, at, errors, lenient);
  if (namespace) validateBy(dns1123LabelReasons, namespace, at.child("namespace"), errors);
  if (dataSource === undefined) return;
  // The value is a path, of which Go's JSON shows nothing.
  if (namespace) errors.invalid(path, {}, "may not be specified when dataSourceRef.namespace is specified");
  else if (dataSource.apiGroup !== apiGroup || dataSource.kind !== kind || dataSource.name !== name) {
    errors.invalid(path, {}, "must match dataSourceRef");
  }
}

function validateSource(source: TypedObjectReference, path: Path, errors: FieldErrors, lenient: boolean): void {
  const { name = "", kind = "", apiGroup = "" } = source;
  if (name === "") errors.required(path.child("name"));
  if (kind === "") errors.required(path.child("kind"));
  if (apiGroup === "" && kind !== "PersistentVolumeClaim") {
    errors.invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  if (apiGroup !== "" && !lenient) validateBy(dns1123SubdomainReasons, apiGroup, path.child("apiGroup"), errors);
}

/** What a template's metadata may not have. */
const forbiddenMetadata = metadataFields.filter((name) => name !== "labels" && name !== "annotations");

/** Of an ephemeral volume: the claim's name is the volume's business. */
export function validateClaimTemplate({ metadata, spec }: PersistentVolumeClaimTemplate, path: Path, errors: FieldErrors): void {
  validateAnnotations(metadata?.annotations, path.child("metadata", "annotations"), errors);
  validateLabelMap(metadata?.labels, path.child("metadata", "labels"), errors);
  for (const name of forbiddenMetadata) {
    const value = metadata?.[name];
    if (value) errors.forbidden(path.child("metadata", name), "cannot be set for an ephemeral volume");
  }
  validateClaimSpec(spec ?? {}, path.child("spec"), errors);
}

export function claimSpecWarnings(spec: PersistentVolumeClaimSpec | undefined, path: Path): readonly string[] {
  const found: string[] = [];
  for (const part of ["requests", "limits"] as const) {
    const reason = fractionReason(spec?.resources?.[part]?.["storage"]);
    if (reason !== undefined) found.push(`${path.child("resources", part).key("storage")}: ${reason}`);
  }
  return found;
}
