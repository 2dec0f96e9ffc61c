import { storageClasses as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { filled } from "../filling.ts";

const defaultAnnotation = "storageclass.kubernetes.io/is-default-class";

export const storageClasses = defineResource(type, {
  shortNames: ["sc"],
  defaults: (storageClass) => filled(storageClass, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
  columns: [
    nameColumn,
    column("Provisioner", ""),
    column("ReclaimPolicy", ""),
    column("VolumeBindingMode", ""),
    column("AllowVolumeExpansion", ""),
    ageColumn,
  ],
  row: (storageClass, context) => {
    const isDefault = storageClass.metadata.annotations?.[defaultAnnotation] === "true";
    return [
      nameCell(storageClass) + (isDefault ? " (default)" : ""),
      storageClass.provisioner,
      storageClass.reclaimPolicy ?? "Delete",
      storageClass.volumeBindingMode ?? "<unset>",
      storageClass.allowVolumeExpansion ?? false,
      ageCell(storageClass, context),
    ];
  },
});
