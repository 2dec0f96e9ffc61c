// The roles and bindings that every API server puts in place, as objects: made once, stored as they are.

import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  RbacV1Subject,
  Role,
  RoleBinding,
} from "#cluster/api/generated/types.ts";
import type { ObjectMeta } from "#cluster/api/objects.ts";
import { policyText } from "./generated/policy.ts";

const apiGroup = "rbac.authorization.k8s.io";
const bootstrapLabels = { "kubernetes.io/bootstrapping": "rbac-defaults" };
/** Set to "false" by someone who wants to keep an object as it is. */
export const autoUpdateAnnotation = "rbac.authorization.kubernetes.io/autoupdate";
const annotations = { [autoUpdateAnnotation]: "true" };

/** A ClusterRole to be stored. */
export type NamedRole = ClusterRole & { readonly metadata: ObjectMeta & { readonly name: string } };
type Named<T> = T & { readonly metadata: ObjectMeta & { readonly name: string; readonly namespace?: string } };

/** A heading and the lines below it; see `policyTable` in upstream/generate/bootstrap-policy.ts. */
interface Section {
  readonly kind: string;
  readonly name: string;
  readonly words: readonly string[];
  readonly lines: readonly string[];
}

const sections: readonly Section[] = policyText.split("\n%% ").map((section) => {
  const [heading = "", ...lines] = section.split("\n");
  const [kind = "", name = "", ...words] = heading.split(" ");
  return { kind, name, words, lines };
});

export const bootstrapClusterRoles: readonly NamedRole[] = ofKind("ClusterRole").map(clusterRole);
export const bootstrapClusterRoleBindings: readonly Named<ClusterRoleBinding>[] = ofKind("ClusterRoleBinding").map((section) =>
  binding("ClusterRole", section),
);
export const bootstrapRoles: readonly Named<Role>[] = ofKind("Role").map((section) => ({
  metadata: metadataOf(section.name),
  rules: section.lines.map(rule),
}));
export const bootstrapRoleBindings: readonly Named<RoleBinding>[] = ofKind("RoleBinding").map((section) =>
  binding("Role", section),
);

/** What nodes may do; the node authorizer narrows most of it to the node's own objects. */
export const nodeRules: readonly PolicyRule[] =
  bootstrapClusterRoles.find(({ metadata }) => metadata.name === "system:node")?.rules ?? [];

function ofKind(kind: string): readonly Section[] {
  return sections.filter((section) => section.kind === kind);
}

/** `NAME` or `NAMESPACE/NAME` */
function metadataOf(path: string, labels: ObjectMeta["labels"] = bootstrapLabels): ObjectMeta & { readonly name: string } {
  const slash = path.indexOf("/");
  return { labels, annotations, ...(slash < 0 ? {} : { namespace: path.slice(0, slash) }), name: path.slice(slash + 1) };
}

function clusterRole({ name, words, lines }: Section): NamedRole {
  const labelOf = (sign: string): { readonly [label: string]: string } | undefined => {
    const word = words.find((candidate) => candidate.startsWith(sign));
    return word === undefined ? undefined : { [`${apiGroup}/${word.slice(1)}`]: "true" };
  };
  const metadata = metadataOf(name, { ...bootstrapLabels, ...labelOf("+") });
  const matchLabels = labelOf("=");
  return matchLabels === undefined
    ? { metadata, rules: lines.map(rule) }
    : { metadata, aggregationRule: { clusterRoleSelectors: [{ matchLabels }] } };
}

/** `verbs;groups;resources;names`, or `verbs;URLs` */
function rule(line: string): PolicyRule {
  const [verbs = [], first = [], resources, resourceNames] = line.split(";").map((words) => words.split(" "));
  if (resources === undefined) return { nonResourceURLs: first, verbs };
  return { apiGroups: first, resources, ...(resourceNames === undefined ? {} : { resourceNames }), verbs };
}

function binding(kind: string, { name, words: [role = "", ...subjects] }: Section): Named<ClusterRoleBinding & RoleBinding> {
  return {
    metadata: metadataOf(name),
    roleRef: { apiGroup, kind, name: role },
    ...(subjects.length === 0 ? {} : { subjects: subjects.map(subject) }),
  };
}

/** `User=NAME`, `Group=NAME` or `ServiceAccount=NAMESPACE/NAME` */
function subject(text: string): RbacV1Subject {
  const [kind = "", path = ""] = text.split("=");
  const slash = path.indexOf("/");
  if (kind !== "ServiceAccount") return { apiGroup, kind, name: path };
  return { kind, name: path.slice(slash + 1), namespace: path.slice(0, slash) };
}
