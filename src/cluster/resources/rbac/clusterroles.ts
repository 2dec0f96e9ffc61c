import type { ClusterRole } from "#cluster/api/generated/types.ts";
import { clusterRoles as type } from "#cluster/api/kinds.ts";
import { createdAtCell, createdAtColumn, nameCell, nameColumn } from "../columns.ts";
import { validateLabelSelector } from "../core/selector-validation.ts";
import { defineResource } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { pathSegmentName } from "../name-rules.ts";
import { validateRules } from "./rules.ts";

export const clusterRoles = defineResource(type, {
  nameRule: pathSegmentName,
  createOnUpdate: true,
  validate,
  validateUpdate: (role, _old, errors) => validate(role, errors),
  columns: [nameColumn, createdAtColumn],
  row: (role) => [nameCell(role), createdAtCell(role)],
});

function validate({ rules, aggregationRule }: ClusterRole, errors: FieldErrors): void {
  validateRules(rules, false, errors);
  if (aggregationRule === undefined) return;
  const path = field("aggregationRule", "clusterRoleSelectors");
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) {
    errors.required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil");
  }
  for (const [index, selector] of selectors.entries()) {
    // One that says nothing selects all roles; that is allowed here.
    const before = errors.causes.length;
    validateLabelSelector(selector, path.index(index), errors);
    if (errors.causes.length > before) errors.invalid(path.index(index), null, "invalid label selector.");
  }
}
