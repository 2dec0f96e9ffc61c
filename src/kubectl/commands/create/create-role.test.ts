import { describe, it } from "vitest";
import { check } from "../../kubectl.test-kit.ts";
import { rbacWorld } from "../../rbac.test-kit.ts";

describe("kubectl create role and clusterrole", () => {
  it("writes a rule a group, with the server's names", () => {
    check(rbacWorld(), [
      {
        line: "create role dev --verb=get,list --verb=get --resource=po,deploy.apps/scale",
        stdout: "role.rbac.authorization.k8s.io/dev created\n",
      },
      {
        line: "create role dev2 --verb=get --resource=deploy,pods,pods/log,rs.apps --resource-name=a --resource-name=b -n team-a --dry-run=client -o yaml",
        stdout: `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: dev2
  namespace: team-a
rules:
- apiGroups:
  - ""
  resourceNames:
  - a
  - b
  resources:
  - pods
  - pods/log
  verbs:
  - get
- apiGroups:
  - apps
  resourceNames:
  - a
  - b
  resources:
  - deployments
  - replicasets
  verbs:
  - get
`,
      },
      {
        line: "create clusterrole logs --verb=get --resource=nodes --non-resource-url=/logs/* --dry-run=client -o yaml",
        stdout: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: logs
rules:
- apiGroups:
  - ""
  resources:
  - nodes
  verbs:
  - get
- nonResourceURLs:
  - /logs/*
  verbs:
  - get
`,
      },
      {
        line: "create clusterrole all --aggregation-rule=a=b --dry-run=client -o yaml",
        stdout: `aggregationRule:
  clusterRoleSelectors:
  - matchLabels:
      a: b
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: all
rules: null
`,
      },
    ]);
  });

  it("words what is wrong as kubectl does", () => {
    check(rbacWorld(), [
      { line: "create role x --resource=pods", code: 1, stderr: "error: at least one verb must be specified\n" },
      { line: "create role x --verb=get", code: 1, stderr: "error: at least one resource must be specified\n" },
      { line: "create clusterrole x --verb=get", code: 1, stderr: "error: one of resource or nonResourceURL must be specified\n" },
      {
        line: "create role x --verb=get --resource=widgets",
        code: 1,
        stderr: 'the server doesn\'t have a resource type "widgets"\n',
      },
      {
        line: "create role x --verb=bind --resource=pods",
        code: 1,
        stderr: "error: can not perform 'bind' on 'pods' in group ''\n",
      },
      {
        line: "create role x --verb=frob --resource=pods",
        stdout: "role.rbac.authorization.k8s.io/x created\n",
        stderr: "Warning: 'frob' is not a standard resource verb\n",
      },
      {
        line: "create clusterrole x --verb=list --non-resource-url=/x",
        code: 1,
        stderr: "error: invalid verb: 'list' for nonResourceURL\n",
      },
      {
        line: "create clusterrole x --verb=get --non-resource-url=x",
        code: 1,
        stderr: "error: nonResourceURL should start with /\n",
      },
      {
        line: "create clusterrole x --verb=get --aggregation-rule=a=b",
        code: 1,
        stderr: "error: aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames\n",
      },
    ]);
  });
});
