// The roles and bindings that every API server puts in place, as objects: made once, stored as they are.

import type { ClusterRole, ClusterRoleBinding, RbacV1Subject, Role, RoleBinding } from "#cluster/api/generated/types.ts";
import type { ObjectMeta } from "#cluster/api/objects.ts";
import { clusterRoleRows, type RoleRow } from "./cluster-roles.ts";
import { controllerRules } from "./controller-roles.ts";
import { namespaceRoleRows } from "./namespace-roles.ts";

const apiGroup = "rbac.authorization.k8s.io";
const bootstrapLabels = { "kubernetes.io/bootstrapping": "rbac-defaults" };
/** Set to "false" by someone who wants to keep an object as it is. */
export const autoUpdateAnnotation = "rbac.authorization.kubernetes.io/autoupdate";
const annotations = { [autoUpdateAnnotation]: "true" };
const defaultMetadata = { labels: bootstrapLabels, annotations };
const controllerPrefix = "system:controller:";

/** ClusterRole → who has it; a binding has the name of its role. `system:node` is bound to nobody: nodes have an authorizer. */
const clusterBindingRows: { readonly [role: string]: readonly string[] } = {
  "cluster-admin": ["Group:system:masters"],
  "system:monitoring": ["Group:system:monitoring"],
  "system:discovery": ["Group:system:authenticated"],
  "system:basic-user": ["Group:system:authenticated"],
  "system:public-info-viewer": ["Group:system:authenticated", "Group:system:unauthenticated"],
  "system:node-proxier": ["User:system:kube-proxy"],
  "system:kube-controller-manager": ["User:system:kube-controller-manager"],
  "system:kube-dns": ["ServiceAccount:kube-dns"],
  "system:kube-scheduler": ["User:system:kube-scheduler"],
  "system:volume-scheduler": ["User:system:kube-scheduler"],
  "system:service-account-issuer-discovery": ["Group:system:serviceaccounts"],
  "system:node": [],
};

/** A ClusterRole to be stored. */
export type NamedRole = ClusterRole & { readonly metadata: ObjectMeta & { readonly name: string } };
type Named<T> = T & { readonly metadata: ObjectMeta & { readonly name: string; readonly namespace?: string } };

export const bootstrapClusterRoles: readonly NamedRole[] = [
  ...clusterRoleRows.map(clusterRole),
  ...Object.entries(controllerRules).map(([account, rules]) => clusterRole({ name: `${controllerPrefix}${account}`, rules })),
];

export const bootstrapClusterRoleBindings: readonly Named<ClusterRoleBinding>[] = [
  ...Object.entries(clusterBindingRows).map(([role, subjects]) => clusterBinding(role, subjects)),
  ...Object.keys(controllerRules).map((account) => clusterBinding(`${controllerPrefix}${account}`, [`ServiceAccount:${account}`])),
];

export const bootstrapRoles: readonly Named<Role>[] = namespaceRoleRows.map(({ namespace, name, rules }) => ({
  metadata: { ...defaultMetadata, namespace, name },
  rules,
}));

export const bootstrapRoleBindings: readonly Named<RoleBinding>[] = namespaceRoleRows.map(
  ({ namespace, name, binding = name, subjects }) => ({
    metadata: { ...defaultMetadata, namespace, name: binding },
    roleRef: { apiGroup, kind: "Role", name },
    subjects: subjects.map(subject),
  }),
);

function clusterRole({ name, rules, aggregatesTo, aggregates }: RoleRow): NamedRole {
  const labels = aggregatesTo === undefined ? bootstrapLabels : { ...bootstrapLabels, ...aggregationLabel(aggregatesTo) };
  const metadata = { ...defaultMetadata, labels, name };
  if (aggregates === undefined) return { metadata, rules };
  return { metadata, aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregationLabel(aggregates) }] } };
}

function aggregationLabel(role: string): { readonly [label: string]: string } {
  return { [`rbac.authorization.k8s.io/aggregate-to-${role}`]: "true" };
}

function clusterBinding(role: string, subjects: readonly string[]): Named<ClusterRoleBinding> {
  return {
    metadata: { ...defaultMetadata, name: role },
    roleRef: { apiGroup, kind: "ClusterRole", name: role },
    ...(subjects.length === 0 ? {} : { subjects: subjects.map(subject) }),
  };
}

/** `Kind:name`; service accounts are those of kube-system. */
function subject(text: string): RbacV1Subject {
  const colon = text.indexOf(":");
  const kind = text.slice(0, colon);
  const name = text.slice(colon + 1);
  return kind === "ServiceAccount" ? { kind, name, namespace: "kube-system" } : { apiGroup, kind, name };
}
