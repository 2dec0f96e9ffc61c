// Bindings of both scopes: who is bound to which role, what that must say (pkg/apis/rbac/validation), and how tables show it.

import type { ClusterRoleBinding, RbacV1Subject, RoleBinding, RoleRef } from "#cluster/api/generated/types.ts";
import type { BuiltInType } from "#cluster/api/kinds.ts";
import { dns1123SubdomainReasons, pathSegmentReasons } from "#cluster/api/names.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type ResourceDeclaration, type ResourceDefinition, type TableCell, type Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { changed, each, filled, withoutZero } from "../filling.ts";
import { pathSegmentName } from "../name-rules.ts";

const apiGroup = "rbac.authorization.k8s.io";
const subjectKinds = ["ServiceAccount", "User", "Group"] as const;

type Binding = RoleBinding | ClusterRoleBinding;

export function defineBinding<T extends Binding>(type: BuiltInType<T>): ResourceDefinition {
  const { namespaced } = type;
  const binding = namespaced ? "roleBinding" : "clusterRoleBinding";
  const reach = namespaced
    ? "reference a Role in the current namespace or a ClusterRole in the global namespace"
    : "only reference a ClusterRole in the global namespace";
  const declaration: ResourceDeclaration<Binding> = {
    nameRule: pathSegmentName,
    createOnUpdate: true,
    defaults: withGroups,
    validate: (object, errors) => validate(object, namespaced, errors),
    validateUpdate: (object, old, errors) => {
      validate(object, namespaced, errors);
      const { apiGroup: APIGroup, kind: Kind, name: Name } = object.roleRef;
      // The value is told in the words of the API server's internal type.
      if (!isSameRole(object.roleRef, old.roleRef))
        errors.invalid(field("roleRef"), { APIGroup, Kind, Name }, "cannot change roleRef");
    },
    columns: [
      nameColumn,
      column("Role", `RoleRef can ${reach}. If the RoleRef cannot be resolved, the Authorizer must return an error.`),
      ageColumn,
      ...["Users", "Groups", "ServiceAccounts"].map((name) => column(name, `${name} in the ${binding}`, { wide: true })),
    ],
    row: (object, context) => [
      nameCell(object),
      `${object.roleRef.kind}/${object.roleRef.name}`,
      ageCell(object, context),
      ...subjectCells(object.subjects),
    ],
  };
  return defineResource<Binding>(type, declaration);
}

function withGroups<B extends Typed<Binding>>(binding: B): B {
  const withRole = changed(binding, "roleRef", (role) => filled(withoutZero(role as RoleRef, "apiGroup"), { apiGroup }));
  return changed(withRole, "subjects", (subjects) => each(subjects as readonly RbacV1Subject[], withGroup));
}

/** Service accounts are of the core group, which has no name. */
function withGroup(subject: RbacV1Subject): RbacV1Subject {
  return subject.apiGroup || (subject.kind !== "User" && subject.kind !== "Group") ? subject : { ...subject, apiGroup };
}

function validate({ roleRef, subjects }: Typed<Binding>, isNamespaced: boolean, errors: FieldErrors): void {
  validateRole(roleRef, isNamespaced, errors);
  for (const [index, subject] of (subjects ?? []).entries()) {
    validateSubject(subject, isNamespaced, field("subjects").index(index), errors);
  }
}

function validateRole(roleRef: Partial<RoleRef> | undefined, isNamespaced: boolean, errors: FieldErrors): void {
  const { apiGroup: group = "", kind = "", name = "" } = roleRef ?? {};
  const path = field("roleRef");
  if (group !== apiGroup) errors.notSupported(path.child("apiGroup"), group, [apiGroup]);
  const kinds = isNamespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  if (!kinds.includes(kind)) errors.notSupported(path.child("kind"), kind, kinds);
  if (name === "") errors.required(path.child("name"));
  else for (const reason of pathSegmentReasons(name)) errors.invalid(path.child("name"), name, reason);
}

function validateSubject(subject: RbacV1Subject, isNamespaced: boolean, path: Path, errors: FieldErrors): void {
  const { kind = "", name = "", namespace = "", apiGroup: group = "" } = subject as Partial<RbacV1Subject>;
  if (name === "") errors.required(path.child("name"));
  switch (kind) {
    case "ServiceAccount":
      if (name !== "") for (const reason of dns1123SubdomainReasons(name)) errors.invalid(path.child("name"), name, reason);
      if (group !== "") errors.notSupported(path.child("apiGroup"), group, [""]);
      if (!isNamespaced && namespace === "") errors.required(path.child("namespace"));
      return;
    case "User":
    case "Group":
      if (group !== apiGroup) errors.notSupported(path.child("apiGroup"), group, [apiGroup]);
      return;
    default:
      errors.notSupported(path.child("kind"), kind, subjectKinds);
  }
}

function isSameRole(a: RoleRef, b: RoleRef): boolean {
  return a.apiGroup === b.apiGroup && a.kind === b.kind && a.name === b.name;
}

/** Users, groups and service accounts, each joined by commas. */
function subjectCells(subjects: readonly RbacV1Subject[] | null | undefined): readonly TableCell[] {
  const of = (kind: string): readonly RbacV1Subject[] => (subjects ?? []).filter((subject) => subject.kind === kind);
  const names = (list: readonly RbacV1Subject[]): string => list.map(({ name }) => name).join(", ");
  return [
    names(of("User")),
    names(of("Group")),
    of("ServiceAccount")
      .map((subject) => `${subject.namespace ?? ""}/${subject.name}`)
      .join(", "),
  ];
}
