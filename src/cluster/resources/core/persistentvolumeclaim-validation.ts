// What a PersistentVolumeClaim must be, and what of it may change (pkg/apis/core/validation:
// ValidatePersistentVolumeClaim, -Update, -StatusUpdate).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec, TypedObjectReference } from "#cluster/api/generated/types.ts";
import { dns1123SubdomainReasons } from "#cluster/api/names.ts";
import type { Typed } from "../definition.ts";
import { type FieldErrors, field, goValue, type Path } from "../field-errors.ts";
import { validateUnchanged } from "../workload-validation.ts";
import { compareAmounts, validateBasicAmount, validatePositive, validateResourceAmount } from "./quantities-validation.ts";
import { validateLabelSelector } from "./selector-validation.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { validateAccessModes, validateClassName, volumeModes } from "./volume-modes.ts";

type Claim = Typed<PersistentVolumeClaim>;

const path = field("spec");
const classAnnotation = "volume.beta.kubernetes.io/storage-class";
const storagePath = field("spec", "resources", "requests", "storage");
const resizeStates = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

/** A spec of a claim, or of a claim in a template. */
export function validateClaimSpec(
  spec: PersistentVolumeClaimSpec,
  path: Path,
  errors: FieldErrors,
  old?: PersistentVolumeClaimSpec,
): void {
  const { accessModes = [], volumeMode, dataSource, dataSourceRef } = spec;
  if (accessModes.length === 0) errors.required(path.child("accessModes"), "at least 1 access mode is required");
  validateLabelSelector(spec.selector, path.child("selector"), errors);
  validateAccessModes(accessModes, path.child("accessModes"), errors);
  const storage = spec.resources?.requests?.["storage"];
  const at = path.child("resources").key("storage");
  if (storage === undefined) errors.required(at);
  else if (validatePositive(storage, at, errors)) validateResourceAmount("storage", storage, at, errors);
  validateClassName(spec.storageClassName, path.child("storageClassName"), errors);
  if (volumeMode !== undefined && !volumeModes.includes(volumeMode)) {
    errors.notSupported(path.child("volumeMode"), volumeMode, volumeModes);
  }
  const lenient = (old?.dataSource?.apiGroup ?? old?.dataSourceRef?.apiGroup) !== undefined;
  if (dataSource !== undefined) validateDataSource(dataSource, path.child("dataSource"), errors, lenient);
  if (dataSourceRef !== undefined) validateDataSource(dataSourceRef, path.child("dataSourceRef"), errors, lenient);
  if (dataSource !== undefined && dataSourceRef !== undefined) {
    const { apiGroup, kind, name } = dataSourceRef;
    const same = dataSource.apiGroup === apiGroup && dataSource.kind === kind && dataSource.name === name;
    if (!same) errors.invalid(path, {}, "must match dataSourceRef");
  }
  validateClassName(spec.volumeAttributesClassName, path.child("volumeAttributesClassName"), errors);
}

function validateDataSource(source: TypedObjectReference, path: Path, errors: FieldErrors, lenient: boolean): void {
  const { name = "", kind = "", apiGroup = "" } = source;
  if (name === "") errors.required(path.child("name"));
  if (kind === "") errors.required(path.child("kind"));
  if (apiGroup === "" && kind !== "PersistentVolumeClaim") {
    errors.invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  if (apiGroup === "" || lenient) return;
  for (const reason of dns1123SubdomainReasons(apiGroup)) errors.invalid(path.child("apiGroup"), apiGroup, reason);
}

export function validateClaimUpdate(claim: Claim, old: Claim, errors: FieldErrors): void {
  const [spec, before] = [claim.spec ?? {}, old.spec ?? {}];
  const annotations = claim.metadata.annotations?.[classAnnotation] ?? "";
  const annotated = old.metadata.annotations?.[classAnnotation];
  if (claim.spec === old.spec && annotations === (annotated ?? "")) return;
  validateClaimSpec(spec, path, errors, before);
  const upgraded = annotated !== undefined && before.storageClassName === undefined && spec.storageClassName === annotated;
  const fromAnnotation = upgraded && (annotations === "" || annotations === annotated);
  if (!fromAnnotation && annotations !== (annotated ?? "")) {
    errors.invalid(field("metadata", "annotations").key(classAnnotation), annotations, "field is immutable");
  }
  const expected = mutableParts(claim, old, fromAnnotation);
  if (!semanticDeepEqual(forDiff(expected.now), forDiff(expected.before))) {
    errors.forbidden(
      path,
      `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${unifiedDiff(forDiff(expected.before), forDiff(expected.now))}`,
    );
  }
  validateSize(spec, before, old, errors);
  validateUnchanged(spec.volumeMode, before.volumeMode, field("volumeMode"), errors);
  const { volumeAttributesClassName: attributes } = spec;
  if (attributes === before.volumeAttributesClassName || old.status?.currentVolumeAttributesClassName === undefined) return;
  const to = attributes === undefined ? "nil" : attributes === "" ? "empty string" : undefined;
  if (to !== undefined) {
    errors.forbidden(
      path.child("volumeAttributesClassName"),
      `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    );
  }
}

/** Both specs with what may differ made the same: the volume once, the class once, size and attributes when bound. */
function mutableParts(
  claim: Claim,
  old: Claim,
  fromAnnotation: boolean,
): { readonly now: PersistentVolumeClaimSpec; readonly before: PersistentVolumeClaimSpec } {
  let [now, before] = [claim.spec ?? {}, old.spec ?? {}];
  if (!before.volumeName && now.volumeName !== undefined) before = { ...before, volumeName: now.volumeName };
  const annotated = old.metadata.annotations?.[classAnnotation];
  const fromNothing =
    now.storageClassName !== undefined &&
    before.storageClassName === undefined &&
    (annotated === undefined || annotated === now.storageClassName);
  if (fromAnnotation || fromNothing) {
    const { storageClassName: _name, ...rest } = now;
    now = rest;
  }
  if (claim.status?.phase !== "Bound") return { now, before };
  const { volumeAttributesClassName: _attributes, ...rest } = now;
  const size = before.resources?.requests?.["storage"];
  const attributes = before.volumeAttributesClassName;
  now = {
    ...rest,
    ...(attributes === undefined ? {} : { volumeAttributesClassName: attributes }),
    ...(now.resources?.requests === undefined || size === undefined
      ? {}
      : { resources: { ...now.resources, requests: { ...now.resources.requests, storage: size } } }),
  };
  return { now, before };
}

/** A smaller size is a way back from a growth that failed, but not to what is there. */
function validateSize(spec: PersistentVolumeClaimSpec, before: PersistentVolumeClaimSpec, old: Claim, errors: FieldErrors): void {
  const size = spec.resources?.requests?.["storage"];
  if (compareAmounts(size, before.resources?.requests?.["storage"]) >= 0) return;
  if (compareAmounts(size, old.status?.capacity?.["storage"]) <= 0) {
    errors.forbidden(storagePath, "field can not be less than status.capacity");
  }
}

/** The spec as upstream prints its internal form. */
function forDiff(spec: PersistentVolumeClaimSpec): object {
  const { accessModes = null, selector = null, resources, volumeName = "", storageClassName = null, volumeMode = null } = spec;
  const { dataSource, dataSourceRef, volumeAttributesClassName = null } = spec;
  return {
    AccessModes: accessModes,
    Selector: selector,
    Resources: { Limits: sorted(resources?.limits), Requests: sorted(resources?.requests) },
    VolumeName: volumeName,
    StorageClassName: storageClassName,
    VolumeMode: volumeMode,
    DataSource:
      dataSource === undefined
        ? null
        : goValue({ apiGroup: dataSource.apiGroup ?? null, kind: dataSource.kind, name: dataSource.name }),
    DataSourceRef:
      dataSourceRef === undefined
        ? null
        : goValue({
            apiGroup: dataSourceRef.apiGroup ?? null,
            kind: dataSourceRef.kind,
            name: dataSourceRef.name,
            namespace: dataSourceRef.namespace ?? null,
          }),
    VolumeAttributesClassName: volumeAttributesClassName,
  };
}

function sorted(amounts: { readonly [name: string]: string } | undefined): object | null {
  return amounts === undefined ? null : Object.fromEntries(Object.entries(amounts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function validateClaimStatusUpdate(claim: Claim, _old: Claim, errors: FieldErrors): void {
  const { capacity = {}, allocatedResources = {}, allocatedResourceStatuses = {} } = claim.status ?? {};
  const status = field("status");
  for (const name of Object.keys(capacity))
    validateBasicAmount(capacity[name] as string, status.child("capacity").key(name), errors);
  for (const state of Object.values(allocatedResourceStatuses)) {
    if (!resizeStates.includes(state)) {
      errors.notSupported(status.child("allocatedResourceStatuses"), state, [...resizeStates].sort());
    }
  }
  for (const name of Object.keys(allocatedResources)) {
    validateResourceAmount("storage", allocatedResources[name] as string, status.child("allocatedResources").key(name), errors);
  }
}
