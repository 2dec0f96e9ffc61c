// What may change of a PersistentVolumeClaim (pkg/apis/core/validation: ValidatePersistentVolumeClaimUpdate, -StatusUpdate);
// what its spec must be is in claim-spec.ts.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import type { Typed } from "../../definition.ts";
import { type FieldErrors, field, goValue } from "../../field-errors.ts";
import { validateUnchanged } from "../../workload-validation.ts";
import { compareAmounts, validateBasicAmount, validateResourceAmount } from "../limits/quantities-validation.ts";
import { unifiedDiff } from "../pods/unified-diff.ts";
import { validateClaimSpec } from "./claim-spec.ts";

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
  if (attributes === undefined || attributes === "") {
    const to = attributes === undefined ? "nil" : "empty string";
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
  return amounts === undefined ? null : Object.fromEntries(Object.entries(amounts).sort(([a], [b]) => compareBytes(a, b)));
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
