// Roles and bindings, those of the cluster and those of a namespace.

import type { ClusterRoleBinding, Role, RoleBinding } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { ruleColumns, ruleRows } from "../printers/policy-rules.ts";
import type { Description } from "./description.ts";
import { withoutEvents } from "./from-object.ts";

/** kubectl does not print the namespace of these. */
function describeHead(out: Description, { metadata }: Stored<unknown>): void {
  out.field("Name", metadata.name);
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
}

/** Roles and ClusterRoles. */
export const describeRole = withoutEvents<Role>((out, role) => {
  describeHead(out, role);
  out.line("PolicyRule:");
  out.line(ruleColumns.join("\t"), 1);
  out.line(ruleColumns.map((column) => "-".repeat(column.length)).join("\t"), 1);
  for (const row of ruleRows(role.rules ?? [])) out.line(row.join("\t"), 1);
});

/** RoleBindings and ClusterRoleBindings. */
export const describeRoleBinding = withoutEvents<RoleBinding | ClusterRoleBinding>((out, binding) => {
  describeHead(out, binding);
  out.line("Role:");
  out.field("Kind", binding.roleRef.kind, 1);
  out.field("Name", binding.roleRef.name, 1);
  out.line("Subjects:");
  out.line("Kind\tName\tNamespace", 1);
  out.line("----\t----\t---------", 1);
  for (const { kind, name, namespace = "" } of binding.subjects ?? []) out.line(`${kind}\t${name}\t${namespace}`, 1);
});
