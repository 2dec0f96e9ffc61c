import { eventsV1 as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";

export const eventsV1 = defineResource(type, {
  shortNames: ["ev"],
  storage: "events",
  columns: [nameColumn, ageColumn],
  row: (object, context) => [nameCell(object), ageCell(object, context)],
});
