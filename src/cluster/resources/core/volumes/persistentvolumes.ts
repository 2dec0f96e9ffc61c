import type { PersistentVolume } from "#cluster/api/generated/types.ts";
import { persistentVolumes as type } from "#cluster/api/kinds.ts";
import { formatTime } from "#cluster/api/time.ts";
import { classOf } from "#cluster/volumes/classes.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../../columns.ts";
import { defineResource, type Typed } from "../../definition.ts";
import { field } from "../../field-errors.ts";
import { changed, filled, withoutZero } from "../../filling.ts";
import { nodeSelectorWarnings } from "../../node/deprecated-labels.ts";
import { specAndStatus, withFieldsOf } from "../../strategy.ts";
import { accessModesCell } from "./access-modes.ts";
import { validateVolume, validateVolumeUpdate } from "./persistentvolume-validation.ts";
import { diskDefaults } from "./volume-defaults.ts";
import { classWarnings } from "./volume-modes.ts";

/** Sources that have no code behind them any more. */
const removedSources = [
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
] as const;

export const persistentVolumes = defineResource(type, {
  returnsDeleted: true,
  shortNames: ["pv"],
  subresources: [{ name: "status", kind: "PersistentVolume", verbs: ["get", "patch", "update"] }],
  ...specAndStatus,
  prepareForCreate: (volume) => ({ ...volume, status: { phase: "Pending", ...createdAt(volume) } }),
  prepareForStatusUpdate: (volume, old, { nowMs }) => {
    const kept = withFieldsOf(volume, old, "spec");
    const [now, before] = [kept.status, old.status];
    const isNoted = now?.phase === before?.phase || now?.lastPhaseTransitionTime !== before?.lastPhaseTransitionTime;
    return isNoted ? kept : { ...kept, status: { ...now, lastPhaseTransitionTime: formatTime(nowMs) } };
  },
  defaults: (volume) =>
    changed(volume, "spec", (spec) =>
      changed(
        diskDefaults(
          filled(withoutZero(spec, "persistentVolumeReclaimPolicy"), {
            persistentVolumeReclaimPolicy: "Retain",
            volumeMode: "Filesystem",
          }),
        ),
        "hostPath",
        (source) => filled(source, { type: "" }),
      ),
    ),
  validate: validateVolume,
  validateUpdate: validateVolumeUpdate,
  warnings,
  columns: [
    nameColumn,
    column("Capacity", ""),
    column("Access Modes", ""),
    column("Reclaim Policy", ""),
    column("Status", ""),
    column("Claim", ""),
    column("StorageClass", "StorageClass of the pv"),
    column("VolumeAttributesClass", "VolumeAttributesClass of the pv"),
    column("Reason", ""),
    ageColumn,
    column("VolumeMode", "", { wide: true }),
  ],
  row: (volume, context) => {
    const claim = volume.spec?.claimRef;
    return [
      nameCell(volume),
      volume.spec?.capacity?.["storage"] ?? "0",
      accessModesCell(volume.spec?.accessModes),
      volume.spec?.persistentVolumeReclaimPolicy ?? "",
      volume.metadata.deletionTimestamp === undefined ? (volume.status?.phase ?? "") : "Terminating",
      claim === undefined ? "" : `${claim.namespace ?? ""}/${claim.name ?? ""}`,
      classOf(volume.metadata.annotations, volume.spec?.storageClassName),
      volume.spec?.volumeAttributesClassName ?? "<unset>",
      volume.status?.reason ?? "",
      ageCell(volume, context),
      volume.spec?.volumeMode ?? "<unset>",
    ];
  },
});

/** A volume has its first phase from its creation on. */
function createdAt({ metadata }: Typed<PersistentVolume>): { readonly lastPhaseTransitionTime?: string } {
  return metadata.creationTimestamp === undefined ? {} : { lastPhaseTransitionTime: metadata.creationTimestamp };
}

function warnings({ metadata, spec = {} }: Typed<PersistentVolume>): readonly string[] {
  const found = [...classWarnings(metadata.annotations)];
  if (spec.persistentVolumeReclaimPolicy === "Recycle") {
    found.push(
      "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
    );
  }
  found.push(...nodeSelectorWarnings(spec.nodeAffinity?.required, field("spec", "nodeAffinity", "required")));
  for (const [name, shown, text] of removedSources) if (spec[name] !== undefined) found.push(`spec.${shown}: ${text}`);
  return found;
}
