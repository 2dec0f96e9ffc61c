import { services as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { specAndStatus } from "../strategy.ts";

export const services = defineResource(type, {
  shortNames: ["svc"],
  categories: ["all"],
  ...specAndStatus,
  columns: [nameColumn, ageColumn],
  row: (object, context) => [nameCell(object), ageCell(object, context)],
});
