import { roles as type } from "#cluster/api/kinds.ts";
import { createdAtCell, createdAtColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { pathSegmentName } from "../name-rules.ts";
import { validateRules } from "./rules.ts";

export const roles = defineResource(type, {
  nameRule: pathSegmentName,
  createOnUpdate: true,
  validate: (role, errors) => validateRules(role.rules, true, errors),
  validateUpdate: (role, _old, errors) => validateRules(role.rules, true, errors),
  columns: [nameColumn, createdAtColumn],
  row: (role) => [nameCell(role), createdAtCell(role)],
});
