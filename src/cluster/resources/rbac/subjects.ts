// Subjects of bindings as tables show them.

import type { RbacV1Subject, RoleRef } from "#cluster/api/generated/types.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import type { TableCell, TableColumn } from "../definition.ts";

export const bindingColumns: readonly TableColumn[] = [
  nameColumn,
  column("Role", "Reference to the role"),
  ageColumn,
  column("Users", "Users in the RoleBinding", { wide: true }),
  column("Groups", "Groups in the RoleBinding", { wide: true }),
  column("ServiceAccounts", "ServiceAccounts in the RoleBinding", { wide: true }),
];

export function roleCell(role: RoleRef): string {
  return `${role.kind}/${role.name}`;
}

/** Users, groups and service accounts, each joined by commas. */
export function subjectCells(subjects: readonly RbacV1Subject[] | undefined): readonly TableCell[] {
  const of = (kind: string): readonly RbacV1Subject[] => (subjects ?? []).filter((subject) => subject.kind === kind);
  return [
    of("User")
      .map((subject) => subject.name)
      .join(", "),
    of("Group")
      .map((subject) => subject.name)
      .join(", "),
    of("ServiceAccount")
      .map((subject) => `${subject.namespace ?? ""}/${subject.name}`)
      .join(", "),
  ];
}

/** What a subject without a group is of. */
export function subjectDefaults(subject: RbacV1Subject): RbacV1Subject {
  if (subject.apiGroup || subject.kind === "ServiceAccount") return subject;
  return { ...subject, apiGroup: "rbac.authorization.k8s.io" };
}
