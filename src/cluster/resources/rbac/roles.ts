import { roles as type } from "#cluster/api/kinds.ts";
import { createdAtCell, createdAtColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { pathSegmentName } from "../name-rules.ts";

export const roles = defineResource(type, {
  nameRule: pathSegmentName,
  columns: [nameColumn, createdAtColumn],
  row: (role) => [nameCell(role), createdAtCell(role)],
});
