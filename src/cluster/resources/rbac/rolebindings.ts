import { roleBindings as type } from "#cluster/api/kinds.ts";
import { ageCell, nameCell } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { field } from "../field-errors.ts";
import { changed, each, filled, withoutZero } from "../filling.ts";
import { pathSegmentName } from "../name-rules.ts";
import { bindingColumns, roleCell, subjectCells, subjectDefaults } from "./subjects.ts";

export const roleBindings = defineResource(type, {
  nameRule: pathSegmentName,
  defaults: (binding) =>
    changed(
      changed(binding, "roleRef", (role) => filled(withoutZero(role, "apiGroup"), { apiGroup: "rbac.authorization.k8s.io" })),
      "subjects",
      (subjects) => each(subjects, subjectDefaults),
    ),
  validateUpdate: (binding, old, errors) => {
    if (JSON.stringify(binding.roleRef) !== JSON.stringify(old.roleRef)) {
      errors.invalid(field("roleRef"), binding.roleRef, "cannot change roleRef");
    }
  },
  columns: bindingColumns,
  row: (binding, context) => [
    nameCell(binding),
    roleCell(binding.roleRef),
    ageCell(binding, context),
    ...subjectCells(binding.subjects),
  ],
});
