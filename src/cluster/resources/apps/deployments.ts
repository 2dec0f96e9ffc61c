import { deployments as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { specAndStatus } from "../strategy.ts";

export const deployments = defineResource(type, {
  shortNames: ["deploy"],
  categories: ["all"],
  generationFields: ["spec"],
  ...specAndStatus,
  columns: [nameColumn, ageColumn],
  row: (object, context) => [nameCell(object), ageCell(object, context)],
});
