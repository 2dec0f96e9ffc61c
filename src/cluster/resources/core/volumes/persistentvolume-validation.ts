// What a PersistentVolume must be, and what of it may change (pkg/apis/core/validation: ValidatePersistentVolume, -Update).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { PersistentVolume, PersistentVolumeSpec } from "#cluster/api/generated/types.ts";
import type { Typed } from "../../definition.ts";
import { type FieldErrors, field, goValue } from "../../field-errors.ts";
import { validateUnchanged } from "../../workload-validation.ts";
import { validateBasicAmount, validatePositive } from "../limits/quantities-validation.ts";
import { unifiedDiff } from "../pods/unified-diff.ts";
import { validateNodeSelector } from "../selector-validation.ts";
import { sourceForDiff, validateVolumeSource } from "./persistentvolume-sources.ts";
import { validateAccessModes, validateClassName, volumeModes } from "./volume-modes.ts";

const path = field("spec");
const reclaimPolicies = ["Delete", "Recycle", "Retain"];

export function validateVolume({ spec = {} }: Typed<PersistentVolume>, errors: FieldErrors): void {
  const { accessModes = [], persistentVolumeReclaimPolicy: policy = "", nodeAffinity, volumeMode } = spec;
  if (accessModes.length === 0) errors.required(path.child("accessModes"));
  validateAccessModes(accessModes, path.child("accessModes"), errors);
  validateCapacity(spec, errors);
  if (policy !== "" && !reclaimPolicies.includes(policy)) {
    errors.notSupported(path.child("persistentVolumeReclaimPolicy"), policy, reclaimPolicies);
  }
  if (nodeAffinity !== undefined) {
    const at = path.child("nodeAffinity", "required");
    if (nodeAffinity.required === undefined) errors.required(at, "must specify required node constraints");
    else validateNodeSelector(nodeAffinity.required, at, errors);
  }
  validateVolumeSource(spec, path, errors);
  if (policy === "Recycle" && /^\/+(?:\.?\/*)*$/.test(spec.hostPath?.path ?? "")) {
    errors.forbidden(path.child("persistentVolumeReclaimPolicy"), "may not be 'recycle' for a hostPath mount of '/'");
  }
  validateClassName(spec.storageClassName, path.child("storageClassName"), errors);
  if (volumeMode !== undefined && !volumeModes.includes(volumeMode)) {
    errors.notSupported(path.child("volumeMode"), volumeMode, volumeModes);
  }
  const attributesClass = spec.volumeAttributesClassName;
  if (attributesClass === undefined) return;
  const at = path.child("volumeAttributesClassName");
  if (attributesClass === "") errors.required(at, "an empty string is disallowed");
  else validateClassName(attributesClass, at, errors);
  if (spec.csi === undefined) errors.required(path.child("csi"), "has to be specified when using volumeAttributesClassName");
}

function validateCapacity({ capacity = {} }: PersistentVolumeSpec, errors: FieldErrors): void {
  const at = path.child("capacity");
  const names = Object.keys(capacity);
  if (names.length === 0) errors.required(at);
  if (names.length !== 1 || names[0] !== "storage") {
    errors.notSupported(at, names.length === 0 ? undefined : capacity, ["storage"]);
  }
  for (const name of names) {
    validateBasicAmount(capacity[name] as string, at.key(name), errors);
    validatePositive(capacity[name] as string, at.key(name), errors);
  }
}

export function validateVolumeUpdate(volume: Typed<PersistentVolume>, old: Typed<PersistentVolume>, errors: FieldErrors): void {
  if (volume.spec === old.spec) return;
  validateVolume(volume, errors);
  const [spec, before] = [withoutNewExpandSecret(volume.spec ?? {}, old.spec ?? {}), old.spec ?? {}];
  const [source, sourceBefore] = [sourceForDiff(spec), sourceForDiff(before)];
  if (!semanticDeepEqual(source, sourceBefore)) {
    errors.forbidden(
      path.child("persistentvolumesource"),
      `spec.persistentvolumesource is immutable after creation\n${unifiedDiff(sourceBefore, source)}`,
    );
  }
  validateUnchanged(spec.volumeMode, before.volumeMode, field("volumeMode"), errors);
  if (before.nodeAffinity !== undefined && !semanticDeepEqual(spec.nodeAffinity, before.nodeAffinity)) {
    errors.invalid(
      field("nodeAffinity"),
      spec.nodeAffinity === undefined ? undefined : goValue(spec.nodeAffinity),
      "field is immutable, except for updating from beta label to GA",
    );
  }
  if (before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    errors.forbidden(path.child("volumeAttributesClassName"), "update from non-nil value to nil is forbidden");
  }
}

/** The secret for growing a volume may be named later. */
function withoutNewExpandSecret(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): PersistentVolumeSpec {
  if (
    spec.csi?.controllerExpandSecretRef === undefined ||
    old.csi === undefined ||
    old.csi.controllerExpandSecretRef !== undefined
  ) {
    return spec;
  }
  const { controllerExpandSecretRef: _secret, ...csi } = spec.csi;
  return { ...spec, csi };
}
