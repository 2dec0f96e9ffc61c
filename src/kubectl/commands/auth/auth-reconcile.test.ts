import { describe, expect, it } from "vitest";
import { clusterRoleBindings, clusterRoles, namespaces, roles } from "#cluster/api/kinds.ts";
import { check } from "../../kubectl.test-kit.ts";
import { rbacWorld } from "../../rbac.test-kit.ts";

describe("kubectl auth reconcile", () => {
  const role = (verbs: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: writer
  namespace: new-team
rules:
- apiGroups: [""]
  resources: ["pods"]
  verbs: [${verbs}]
`;
  const binding = (name: string, subject: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: viewers
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${name}}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: ${subject}}
`;

  it("makes, adds, takes away and makes anew", () => {
    const made = rbacWorld();
    check(made, [
      {
        line: "auth reconcile -f -",
        stdin: role("get, list"),
        stdout: "role.rbac.authorization.k8s.io/writer reconciled\n",
        stderr:
          "\treconciliation required create\n\tmissing rules added:\n\t\t{Verbs:[get list] APIGroups:[] Resources:[pods] ResourceNames:[] NonResourceURLs:[]}\n",
      },
      { line: "auth reconcile -f -", stdin: role("list, get"), stdout: "role.rbac.authorization.k8s.io/writer reconciled\n" },
      {
        line: "auth reconcile -f -",
        stdin: role("delete"),
        stdout: "role.rbac.authorization.k8s.io/writer reconciled\n",
        stderr:
          "\treconciliation required update\n\tmissing rules added:\n\t\t{Verbs:[delete] APIGroups:[] Resources:[pods] ResourceNames:[] NonResourceURLs:[]}\n",
      },
      {
        line: "auth reconcile -f - --remove-extra-permissions --dry-run=client",
        stdin: role("delete"),
        stdout: "role.rbac.authorization.k8s.io/writer reconciled (dry run)\n",
        stderr:
          "\treconciliation required update\n\textra rules removed:\n\t\t{Verbs:[get] APIGroups:[] Resources:[pods] ResourceNames:[] NonResourceURLs:[]}\n\t\t{Verbs:[list] APIGroups:[] Resources:[pods] ResourceNames:[] NonResourceURLs:[]}\n",
      },
      {
        line: "auth reconcile -f -",
        stdin: binding("view", "jane"),
        stdout: "clusterrolebinding.rbac.authorization.k8s.io/viewers reconciled\n",
        stderr:
          "\treconciliation required create\n\tmissing subjects added:\n\t\t{Kind:User APIGroup:rbac.authorization.k8s.io Name:jane Namespace:}\n",
      },
      {
        line: "auth reconcile -f -",
        stdin: binding("view", "bob"),
        stdout: "clusterrolebinding.rbac.authorization.k8s.io/viewers reconciled\n",
        stderr:
          "\treconciliation required update\n\tmissing subjects added:\n\t\t{Kind:User APIGroup:rbac.authorization.k8s.io Name:bob Namespace:}\n",
      },
      {
        line: "auth reconcile -f -",
        stdin: binding("edit", "bob"),
        stdout: "clusterrolebinding.rbac.authorization.k8s.io/viewers reconciled\n",
        stderr: "\treconciliation required recreate\n",
      },
      { line: "auth reconcile -f - x", stdin: "", code: 1, stderr: "error: no arguments are allowed\n" },
    ]);
    expect([
      made.client.get(namespaces, { namespace: "", name: "new-team" }).status?.phase,
      made.client.get(roles, { namespace: "new-team", name: "writer" }).rules?.map(({ verbs }) => verbs),
      made.client.get(clusterRoleBindings, { namespace: "", name: "viewers" }).roleRef.name,
    ]).toEqual(["Active", [["get", "list"], ["delete"]], "edit"]);
  });

  it("leaves alone what opted out", () => {
    const made = rbacWorld();
    const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
    made.client.create(clusterRoles, { metadata: { name: "kept", annotations }, rules: [] });
    const wanted = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: kept}
rules:
- {nonResourceURLs: [/x], verbs: [get]}
`;
    check(made, [
      {
        line: "auth reconcile -f -",
        stdin: wanted,
        stdout: "clusterrole.rbac.authorization.k8s.io/kept reconciled\n",
        stderr:
          "\treconciliation required update, but object opted out (rbac.authorization.kubernetes.io/autoupdate: false)\n\tmissing rules added:\n\t\t{Verbs:[get] APIGroups:[] Resources:[] ResourceNames:[] NonResourceURLs:[/x]}\n",
      },
    ]);
    expect(made.client.get(clusterRoles, { namespace: "", name: "kept" }).rules ?? []).toEqual([]);
  });
});
