import { describe, it } from "vitest";
import { check } from "../../kubectl.test-kit.ts";
import { rbacWorld } from "../../rbac.test-kit.ts";

describe("kubectl create rolebinding and clusterrolebinding", () => {
  it("binds users, groups and service accounts", () => {
    check(rbacWorld(), [
      {
        line: "create rolebinding b --clusterrole=view --user=bob --group=ops --serviceaccount=team-a:robot --dry-run=client -o yaml",
        stdout: `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: b
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: view
subjects:
- apiGroup: rbac.authorization.k8s.io
  kind: User
  name: bob
- apiGroup: rbac.authorization.k8s.io
  kind: Group
  name: ops
- kind: ServiceAccount
  name: robot
  namespace: team-a
`,
      },
      {
        line: "create rolebinding b --role=reader --user=bob -n team-a",
        stdout: "rolebinding.rbac.authorization.k8s.io/b created\n",
      },
      { line: "auth can-i list pods --as=bob -n team-a", stdout: "yes\n" },
      {
        line: "create clusterrolebinding c --clusterrole=cluster-admin --user=bob",
        stdout: "clusterrolebinding.rbac.authorization.k8s.io/c created\n",
      },
      { line: "auth can-i delete nodes --as=bob -A", stdout: "yes\n" },
    ]);
  });

  it("words what is wrong as kubectl does", () => {
    check(rbacWorld(), [
      {
        line: "create rolebinding b --user=bob",
        code: 1,
        stderr: "error: exactly one of clusterrole or role must be specified\n",
      },
      { line: "create clusterrolebinding c --user=bob", code: 1, stderr: 'error: required flag(s) "clusterrole" not set\n' },
      {
        line: "create rolebinding b --role=r --serviceaccount=robot",
        code: 1,
        stderr: "error: serviceaccount must be <namespace>:<name>\n",
      },
    ]);
  });
});
