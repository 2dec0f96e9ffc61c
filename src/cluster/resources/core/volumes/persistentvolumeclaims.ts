import type { PersistentVolumeClaimSpec } from "#cluster/api/generated/types.ts";
import { persistentVolumeClaims as type } from "#cluster/api/kinds.ts";
import { classOf } from "#cluster/volumes/classes.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../../columns.ts";
import { defineResource } from "../../definition.ts";
import { field } from "../../field-errors.ts";
import { changed, filled } from "../../filling.ts";
import { specAndStatus } from "../../strategy.ts";
import { accessModesCell } from "./access-modes.ts";
import { claimSpecWarnings, validateClaimSpec } from "./claim-spec.ts";
import { validateClaimStatusUpdate, validateClaimUpdate } from "./persistentvolumeclaim-validation.ts";
import { classWarnings } from "./volume-modes.ts";

export const persistentVolumeClaims = defineResource(type, {
  returnsDeleted: true,
  shortNames: ["pvc"],
  subresources: [{ name: "status", kind: "PersistentVolumeClaim", verbs: ["get", "patch", "update"] }],
  ...specAndStatus,
  prepareForCreate: (claim) => ({
    ...claim,
    spec: mirroredSources(withoutForeignSources(claim.spec ?? {})),
    status: { phase: "Pending" },
  }),
  prepareForUpdate: (claim, old) => {
    const kept = specAndStatus.prepareForUpdate(claim, old);
    if (kept.spec === undefined || kept.spec === old.spec) return kept;
    const hadSource = (old.spec?.dataSource ?? old.spec?.dataSourceRef) !== undefined;
    return { ...kept, spec: mirroredSources(hadSource ? kept.spec : withoutForeignSources(kept.spec)) };
  },
  defaults: (claim) => changed(claim, "spec", (spec) => filled(spec, { volumeMode: "Filesystem" })),
  validate: (claim, errors) => validateClaimSpec(claim.spec ?? {}, field("spec"), errors),
  validateUpdate: validateClaimUpdate,
  validateStatusUpdate: validateClaimStatusUpdate,
  warnings: ({ metadata, spec }) => [...classWarnings(metadata.annotations), ...claimSpecWarnings(spec, field("spec"))],
  columns: [
    nameColumn,
    column("Status", ""),
    column("Volume", ""),
    column("Capacity", ""),
    column("Access Modes", ""),
    column("StorageClass", "StorageClass of the pvc"),
    column("VolumeAttributesClass", "VolumeAttributesClass of the pvc"),
    ageColumn,
    column("VolumeMode", "", { wide: true }),
  ],
  row: (claim, context) => {
    const bound = Boolean(claim.spec?.volumeName);
    const phase = claim.metadata.deletionTimestamp === undefined ? (claim.status?.phase ?? "") : "Terminating";
    return [
      nameCell(claim),
      phase,
      claim.spec?.volumeName ?? "",
      bound ? (claim.status?.capacity?.["storage"] ?? "0") : "",
      bound ? accessModesCell(claim.status?.accessModes) : "",
      classOf(claim.metadata.annotations, claim.spec?.storageClassName),
      claim.spec?.volumeAttributesClassName ?? "<unset>",
      ageCell(claim, context),
      claim.spec?.volumeMode ?? "<unset>",
    ];
  },
});

/**
 * In the older field anything but a claim or a snapshot is dropped in silence; a source of another namespace is, as long as
 * CrossNamespaceVolumeDataSource is off.
 */
function withoutForeignSources(spec: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  const { dataSource, dataSourceRef, ...rest } = spec;
  const reference = dataSourceRef?.namespace ? undefined : dataSourceRef;
  const group = dataSource?.apiGroup ?? "";
  const allowed =
    (dataSource?.kind === "PersistentVolumeClaim" && group === "") ||
    (dataSource?.kind === "VolumeSnapshot" && group === "snapshot.storage.k8s.io");
  const source = allowed || reference !== undefined ? dataSource : undefined;
  if (source === dataSource && reference === dataSourceRef) return spec;
  return {
    ...rest,
    ...(source === undefined ? {} : { dataSource: source }),
    ...(reference === undefined ? {} : { dataSourceRef: reference }),
  };
}

/** Both fields say the same. */
function mirroredSources(spec: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) return { ...spec, dataSourceRef: dataSource };
  if (dataSourceRef !== undefined && dataSource === undefined) {
    const { namespace: _namespace, ...source } = dataSourceRef;
    return { ...spec, dataSource: source };
  }
  return spec;
}
