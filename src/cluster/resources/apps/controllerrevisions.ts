import { controllerRevisions as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";

export const controllerRevisions = defineResource(type, {
  columns: [nameColumn, ageColumn],
  row: (object, context) => [nameCell(object), ageCell(object, context)],
});
