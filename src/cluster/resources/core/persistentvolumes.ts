import { persistentVolumes as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { changed, filled } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { accessModesCell } from "./access-modes.ts";

export const persistentVolumes = defineResource(type, {
  shortNames: ["pv"],
  subresources: [{ name: "status", kind: "PersistentVolume", verbs: ["get", "patch", "update"] }],
  ...specAndStatus,
  prepareForCreate: (volume) => ({ ...volume, status: { phase: "Pending" } }),
  defaults: (volume) =>
    changed(volume, "spec", (spec) => filled(spec, { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" })),
  columns: [
    nameColumn,
    column("Capacity", ""),
    column("Access Modes", ""),
    column("Reclaim Policy", ""),
    column("Status", ""),
    column("Claim", ""),
    column("StorageClass", ""),
    column("VolumeAttributesClass", ""),
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
      volume.spec?.storageClassName ?? "",
      volume.spec?.volumeAttributesClassName ?? "<unset>",
      volume.status?.reason ?? "",
      ageCell(volume, context),
      volume.spec?.volumeMode ?? "<unset>",
    ];
  },
});
