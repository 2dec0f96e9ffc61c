import { scales as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";

/** How the subresource `scale` of workloads prints and is read; it is served below them, not by itself. */
export const scales = defineResource(type, {
  columns: [
    nameColumn,
    integerColumn("Desired", "replicas is the desired number of instances for the scaled object."),
    integerColumn("Available", "replicas is the actual number of observed instances of the scaled object."),
    ageColumn,
  ],
  row: (scale, context) => [nameCell(scale), scale.spec?.replicas ?? 0, scale.status?.replicas ?? 0, ageCell(scale, context)],
});
