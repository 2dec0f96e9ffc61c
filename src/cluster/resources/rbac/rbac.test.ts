import { describe, expect, it } from "vitest";
import type { PolicyRule } from "#cluster/api/generated/types.ts";
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from "#cluster/api/kinds.ts";
import { exchange, json } from "#cluster/apiserver/http/http-call.test-kit.ts";
import { refusalOf, startServer } from "#cluster/apiserver/test-server.test-kit.ts";

const metadata = { name: "x", namespace: "default" };
const roleRef = { kind: "ClusterRole", name: "view" };

describe("a role's rules", () => {
  it.each([
    [{ apiGroups: [""], resources: ["pods"] }, "rules[0].verbs: Required value: verbs must contain at least one value"],
    [
      { verbs: ["get"], resources: ["pods"] },
      "rules[0].apiGroups: Required value: resource rules must supply at least one api group",
    ],
    [{ verbs: ["get"], apiGroups: [""] }, "rules[0].resources: Required value: resource rules must supply at least one resource"],
    [
      {},
      "[rules[0].verbs: Required value: verbs must contain at least one value, rules[0].apiGroups: Required value: resource rules must supply at least one api group, rules[0].resources: Required value: resource rules must supply at least one resource]",
    ],
    [
      { verbs: ["get"], nonResourceURLs: ["/x"] },
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
    ],
  ])("of a namespace: %j", (rule, message) => {
    const { client } = startServer();
    const create = () => client.create(roles, { metadata, rules: [rule as PolicyRule] });
    expect(refusalOf(create)).toBe(`Role.rbac.authorization.k8s.io "x" is invalid: ${message}`);
  });

  it.each([
    [{ rules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }] }, "not refused"],
    [
      { rules: [{ verbs: ["get"], nonResourceURLs: ["/x"], resources: ["pods"] }] },
      'ClusterRole.rbac.authorization.k8s.io "x" is invalid: rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
    [
      { aggregationRule: {} },
      'ClusterRole.rbac.authorization.k8s.io "x" is invalid: aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    ],
    [
      { aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: "a", operator: "Is" }] }] } },
      'ClusterRole.rbac.authorization.k8s.io "x" is invalid: [aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator, aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.]',
    ],
  ])("of the cluster: %j", (fields, message) => {
    const { client } = startServer();
    expect(refusalOf(() => client.create(clusterRoles, { metadata: { name: "x" }, ...fields }))).toBe(message);
  });
});

describe("a binding", () => {
  const invalid = 'RoleBinding.rbac.authorization.k8s.io "x" is invalid: ';

  it.each([
    [
      { roleRef: { kind: "Thing", name: "y" } },
      'roleRef.kind: Unsupported value: "Thing": supported values: "Role", "ClusterRole"',
    ],
    [{ roleRef: { kind: "Role", name: "" } }, "roleRef.name: Required value"],
    [{ roleRef: { kind: "Role", name: "a/b" } }, `roleRef.name: Invalid value: "a/b": may not contain '/'`],
    [
      { roleRef: { ...roleRef, apiGroup: "example.com" } },
      'roleRef.apiGroup: Unsupported value: "example.com": supported values: "rbac.authorization.k8s.io"',
    ],
    [
      { roleRef, subjects: [{ kind: "Robot", name: "r" }] },
      'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ],
    [{ roleRef, subjects: [{ kind: "User", name: "" }] }, "subjects[0].name: Required value"],
    [
      { roleRef, subjects: [{ kind: "ServiceAccount", name: "r", apiGroup: "rbac.authorization.k8s.io" }] },
      'subjects[0].apiGroup: Unsupported value: "rbac.authorization.k8s.io": supported values: ""',
    ],
    [
      { roleRef, subjects: [{ kind: "Group", name: "g", apiGroup: "example.com" }] },
      'subjects[0].apiGroup: Unsupported value: "example.com": supported values: "rbac.authorization.k8s.io"',
    ],
  ])("of a namespace: %j", (fields, message) => {
    const { client } = startServer();
    expect(refusalOf(() => client.create(roleBindings, { metadata, ...fields }))).toBe(`${invalid}${message}`);
  });

  it.each([
    [{ roleRef: { kind: "Role", name: "y" } }, 'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
    [{ roleRef, subjects: [{ kind: "ServiceAccount", name: "r" }] }, "subjects[0].namespace: Required value"],
  ])("of the cluster: %j", (fields, message) => {
    const { client } = startServer();
    expect(refusalOf(() => client.create(clusterRoleBindings, { metadata: { name: "x" }, ...fields }))).toBe(
      `ClusterRoleBinding.rbac.authorization.k8s.io "x" is invalid: ${message}`,
    );
  });

  it("keeps its role for ever", () => {
    const { client } = startServer();
    const binding = client.create(roleBindings, { metadata, roleRef });
    const update = () => client.update(roleBindings, { ...binding, roleRef: { ...binding.roleRef, name: "edit" } });
    expect(refusalOf(update)).toBe(
      `${invalid}roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef`,
    );
  });

  it("prints its role, its age and, wide, its subjects by kind", () => {
    const { server, client } = startServer();
    client.create(roleBindings, {
      metadata,
      roleRef,
      subjects: [
        { kind: "User", name: "jane" },
        { kind: "User", name: "bob" },
        { kind: "Group", name: "dev" },
        { kind: "ServiceAccount", name: "robot", namespace: "team" },
      ],
    });
    const path = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings/x";
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const table = json(exchange(server, "GET", path, undefined, { accept })) as {
      readonly columnDefinitions: readonly { readonly name: string }[];
      readonly rows: readonly { readonly cells: unknown }[];
    };
    expect([table.columnDefinitions.map(({ name }) => name), table.rows[0]?.cells]).toEqual([
      ["Name", "Role", "Age", "Users", "Groups", "ServiceAccounts"],
      ["x", "ClusterRole/view", "0s", "jane, bob", "dev", "team/robot"],
    ]);
  });
});
