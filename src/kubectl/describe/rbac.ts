// Roles and bindings of both scopes.

import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { ruleColumns, ruleRows } from "../printers/policy-rules.ts";
import type { Describer } from "./describer.ts";
import { Description } from "./description.ts";

export const describeRole: Describer<Stored<Role | ClusterRole>> = function* ({ metadata, rules }) {
  const out = new Description();
  out.field("Name", metadata.name);
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.line("PolicyRule:");
  table(out, [...ruleColumns], ruleRows(rules ?? []));
  return out.finish();
};

export const describeBinding: Describer<Stored<RoleBinding | ClusterRoleBinding>> = function* ({ metadata, roleRef, subjects }) {
  const out = new Description();
  out.field("Name", metadata.name);
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.line("Role:");
  out.field("Kind", roleRef.kind, 1);
  out.field("Name", roleRef.name, 1);
  out.line("Subjects:");
  table(
    out,
    ["Kind", "Name", "Namespace"],
    (subjects ?? []).map(({ kind, name, namespace = "" }) => [kind, name, namespace]),
  );
  return out.finish();
};

/** Column names, underlined, then the rows. */
function table(out: Description, columns: readonly string[], rows: readonly (readonly string[])[]): void {
  out.line(columns.join("\t"), 1);
  out.line(columns.map((column) => "-".repeat(column.length)).join("\t"), 1);
  for (const row of rows) out.line(row.join("\t"), 1);
}
