import { persistentVolumeClaims as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { changed, filled } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { accessModesCell } from "./access-modes.ts";

const classAnnotation = "volume.beta.kubernetes.io/storage-class";

export const persistentVolumeClaims = defineResource(type, {
  shortNames: ["pvc"],
  subresources: [{ name: "status", kind: "PersistentVolumeClaim", verbs: ["get", "patch", "update"] }],
  ...specAndStatus,
  prepareForCreate: (claim) => ({ ...claim, status: { phase: "Pending" } }),
  defaults: (claim) => changed(claim, "spec", (spec) => filled(spec, { volumeMode: "Filesystem" })),
  columns: [
    nameColumn,
    column("Status", ""),
    column("Volume", ""),
    column("Capacity", ""),
    column("Access Modes", ""),
    column("StorageClass", ""),
    column("VolumeAttributesClass", ""),
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
      claim.metadata.annotations?.[classAnnotation] ?? claim.spec?.storageClassName ?? "",
      claim.status?.currentVolumeAttributesClassName ?? "<unset>",
      ageCell(claim, context),
      claim.spec?.volumeMode ?? "<unset>",
    ];
  },
});
