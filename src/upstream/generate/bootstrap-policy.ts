// Writes the roles and bindings that every API server puts in place, for `cluster/apiserver/authorization/bootstrap/policy.ts`.

interface RuleFact {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

type Labels = { readonly [label: string]: string };

interface RoleFact {
  readonly labels: Labels;
  readonly aggregationRule?: { readonly clusterRoleSelectors: readonly { readonly matchLabels: Labels }[] };
  readonly rules: readonly RuleFact[];
}

interface BindingFact {
  readonly labels: Labels;
  readonly roleRef: { readonly name: string };
  readonly subjects: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[] | null;
}

interface PolicyFacts {
  readonly clusterRoles: { readonly [name: string]: RoleFact };
  readonly clusterRoleBindings: { readonly [name: string]: BindingFact };
  readonly roles: { readonly [path: string]: RoleFact };
  readonly roleBindings: { readonly [path: string]: BindingFact };
}

/**
 * A heading an object: `%% ClusterRole NAME +LABEL =LABEL` (a label that it has; that of the roles whose rules it takes in),
 * `%% Role NAMESPACE/NAME`, `%% ClusterRoleBinding NAME ROLE SUBJECT …`. Below a role a line a rule, `verbs;groups;resources;names` or
 * `verbs;URLs`, with spaces between words. `text` is that of bootstrap-policy.json.
 */
export function policyTable(text: string): string {
  const facts = JSON.parse(text) as PolicyFacts;
  const sections = [
    ...Object.entries(facts.clusterRoles).map(([name, role]) => roleSection("ClusterRole", name, role)),
    ...Object.entries(facts.clusterRoleBindings).map(([name, binding]) => bindingSection("ClusterRoleBinding", name, binding)),
    ...Object.entries(facts.roles).map(([path, role]) => roleSection("Role", path, role)),
    ...Object.entries(facts.roleBindings).map(([path, binding]) => bindingSection("RoleBinding", path, binding)),
  ];
  return sections.join("\n%% ");
}

function roleSection(kind: string, name: string, { labels, aggregationRule, rules }: RoleFact): string {
  const taken = aggregationRule?.clusterRoleSelectors.flatMap(({ matchLabels }) => aggregationLabels(matchLabels)) ?? [];
  const words = [...aggregationLabels(labels).map((label) => `+${label}`), ...taken.map((label) => `=${label}`)];
  if (taken.length > 1 || (taken.length === 1 && rules.length > 0)) throw new Error(`generate: ${name} aggregates in a new way`);
  return [[kind, name, ...words].join(" "), ...rules.map(ruleLine)].join("\n");
}

function aggregationLabels(labels: Labels): readonly string[] {
  return Object.keys(labels).flatMap((label) => {
    if (label === "kubernetes.io/bootstrapping") return [];
    if (!label.startsWith("rbac.authorization.k8s.io/")) throw new Error(`generate: bootstrap roles have the label ${label}`);
    return [label.slice(label.indexOf("/") + 1)];
  });
}

function ruleLine({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: RuleFact): string {
  const parts = nonResourceURLs === undefined ? [verbs, apiGroups ?? [], resources ?? []] : [verbs, nonResourceURLs];
  return [...parts, ...(resourceNames === undefined ? [] : [resourceNames])].map((words) => words.join(" ")).join(";");
}

function bindingSection(kind: string, name: string, { roleRef, subjects }: BindingFact): string {
  const words = (subjects ?? []).map(
    (subject) => `${subject.kind}=${subject.namespace ? `${subject.namespace}/` : ""}${subject.name}`,
  );
  return [kind, name, roleRef.name, ...words].join(" ");
}
