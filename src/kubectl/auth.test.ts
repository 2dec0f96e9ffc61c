import { describe, expect, it } from "vitest";
import { clusterRoleBindings, clusterRoles, namespaces, roleBindings, roles, serviceAccounts } from "#cluster/api/kinds.ts";
import { type KubectlWorld, kubectlWorld } from "./kubectl-fixture.ts";

interface Case {
  readonly line: string;
  readonly stdin?: string;
  readonly code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** jane lists pods in team-a and gets the secret `own`; impersonation by the administrator tries it out. */
function world(): KubectlWorld {
  const made = kubectlWorld();
  made.client.create(namespaces, { metadata: { name: "team-a" } });
  made.client.create(roles, {
    metadata: { name: "reader", namespace: "team-a" },
    rules: [
      { verbs: ["list", "get"], apiGroups: [""], resources: ["pods", "pods/log"] },
      { verbs: ["get"], apiGroups: [""], resources: ["secrets"], resourceNames: ["own"] },
      { verbs: ["get"], apiGroups: ["apps"], resources: ["deployments/scale"] },
    ],
  });
  made.client.create(roleBindings, {
    metadata: { name: "reader", namespace: "team-a" },
    roleRef: { kind: "Role", name: "reader" },
    subjects: [{ kind: "User", name: "jane" }],
  });
  return made;
}

function check(cases: readonly Case[], made = world()): void {
  const actual = cases.map(({ line, stdin }) => ({ line, ...made.run(line, stdin === undefined ? {} : { stdin }) }));
  expect(actual).toEqual(cases.map(({ stdin: _stdin, ...wanted }) => ({ code: 0, stdout: "", stderr: "", ...wanted })));
}

const jane = "--as=jane -n team-a";

describe("kubectl auth can-i", () => {
  it("says yes or no, with its exit code", () => {
    check([
      { line: "auth can-i '*' '*'", stdout: "yes\n" },
      { line: `auth can-i list pods ${jane}`, stdout: "yes\n" },
      { line: `auth can-i list po ${jane}`, stdout: "yes\n" },
      { line: "auth can-i list pods --as=jane", code: 1, stdout: "no\n" },
      { line: `auth can-i list pods ${jane} -A`, code: 1, stdout: "no\n" },
      { line: `auth can-i get pods --subresource=log ${jane}`, stdout: "yes\n" },
      { line: `auth can-i get secrets/own ${jane}`, stdout: "yes\n" },
      { line: `auth can-i get secret/other ${jane}`, code: 1, stdout: "no\n" },
      { line: `auth can-i get deployments.apps --subresource=scale ${jane}`, stdout: "yes\n" },
      { line: "auth can-i get /version --as=jane", stdout: "yes\n" },
      { line: "auth can-i get /metrics --as=jane", code: 1, stdout: "no\n" },
      { line: `auth can-i list pods ${jane} -q`, code: 0 },
    ]);
  });

  it("warns of what cannot be meant", () => {
    check([
      { line: "auth can-i frobnicate pods", stdout: "yes\n", stderr: "Warning: verb 'frobnicate' is not a known verb\n\n" },
      { line: "auth can-i get widgets", stdout: "yes\n", stderr: "Warning: the server doesn't have a resource type 'widgets'\n\n" },
      {
        line: "auth can-i get widgets.example.com",
        stdout: "yes\n",
        stderr: "Warning: the server doesn't have a resource type 'widgets' in group 'example.com'\n\n",
      },
      { line: "auth can-i get nodes", stdout: "yes\n", stderr: "Warning: resource 'nodes' is not namespace scoped\n\n" },
      {
        line: "auth can-i get clusterroles",
        stdout: "yes\n",
        stderr: "Warning: resource 'clusterroles' is not namespace scoped in group 'rbac.authorization.k8s.io'\n\n",
      },
      { line: "auth can-i frobnicate /x", stdout: "yes\n", stderr: "Warning: verb 'frobnicate' is not a known verb\n\n" },
    ]);
  });

  it("refuses what it does not understand", () => {
    const usage =
      "error: you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples.\n";
    check([
      { line: "auth can-i get", code: 1, stderr: usage },
      { line: "auth can-i get pods web", code: 1, stderr: usage },
      { line: "auth can-i get pods --no-headers", code: 1, stderr: "error: --no-headers cannot be set without --list specified\n" },
      {
        line: "auth can-i get /x --subresource=log",
        code: 1,
        stderr: "error: --subresource can not be used with NonResourceURL\n",
      },
      { line: "auth can-i --list pods", code: 1, stderr: "error: list option must be specified with no arguments\n" },
      {
        line: "auth can-i --list -A",
        code: 1,
        stderr: "error: list option can't be specified with neither quiet, all-namespaces nor subresource options\n",
      },
    ]);
  });

  it("says why not, where the server says it", () => {
    const made = world();
    made.client.create(roleBindings, {
      metadata: { name: "early", namespace: "team-a" },
      roleRef: { kind: "Role", name: "later" },
      subjects: [{ kind: "User", name: "jane" }],
    });
    check(
      [
        {
          line: `auth can-i delete pods ${jane}`,
          code: 1,
          stdout: 'no - RBAC: role.rbac.authorization.k8s.io "later" not found\n',
        },
      ],
      made,
    );
  });

  it("lists the rules, taken apart and put together as kubectl does", () => {
    check([
      {
        line: `auth can-i --list ${jane}`,
        stdout: `Resources                                       Non-Resource URLs   Resource Names   Verbs
selfsubjectreviews.authentication.k8s.io        []                  []               [create]
selfsubjectaccessreviews.authorization.k8s.io   []                  []               [create]
selfsubjectrulesreviews.authorization.k8s.io    []                  []               [create]
                                                [/api/*]            []               [get]
                                                [/api]              []               [get]
                                                [/apis/*]           []               [get]
                                                [/apis]             []               [get]
                                                [/healthz]          []               [get]
                                                [/healthz]          []               [get]
                                                [/livez]            []               [get]
                                                [/livez]            []               [get]
                                                [/openapi/*]        []               [get]
                                                [/openapi]          []               [get]
                                                [/readyz]           []               [get]
                                                [/readyz]           []               [get]
                                                [/version/]         []               [get]
                                                [/version/]         []               [get]
                                                [/version]          []               [get]
                                                [/version]          []               [get]
secrets                                         []                  [own]            [get]
deployments.apps/scale                          []                  []               [get]
pods/log                                        []                  []               [list get]
pods                                            []                  []               [list get]
`,
      },
    ]);
  });

  it("tells of a kubelet that there may be more", () => {
    const { stdout, stderr } = world().run("auth can-i --list --as=system:node:w-1 --as-group=system:nodes --no-headers");
    expect([stdout.split("\n")[0], stderr]).toEqual([
      "selfsubjectreviews.authentication.k8s.io        []             []    [create]",
      "Warning: the list may be incomplete: node authorizer does not support user rule resolution\n",
    ]);
  });
});

describe("kubectl auth whoami", () => {
  it("prints the user's attributes", () => {
    check([
      {
        line: "auth whoami --as=jane --as-group=dev --as-group=ops --as-uid=7",
        stdout: `ATTRIBUTE   VALUE
Username    jane
UID         7
Groups      [dev ops system:authenticated]
`,
      },
      {
        line: "auth whoami --as=jane -o yaml",
        stdout: `apiVersion: authentication.k8s.io/v1
kind: SelfSubjectReview
metadata:
  creationTimestamp: "2026-01-01T00:00:00Z"
status:
  userInfo:
    groups:
    - system:authenticated
    username: jane
`,
      },
      {
        line: "auth whoami --as=system:anonymous",
        code: 1,
        stderr: "error: the selfsubjectreviews API is not enabled in the cluster or you do not have permission to call it\n",
      },
    ]);
  });
});

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
    const made = world();
    check(
      [
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
      ],
      made,
    );
    expect([
      made.client.get(namespaces, { namespace: "", name: "new-team" }).status?.phase,
      made.client.get(roles, { namespace: "new-team", name: "writer" }).rules?.map(({ verbs }) => verbs),
      made.client.get(clusterRoleBindings, { namespace: "", name: "viewers" }).roleRef.name,
    ]).toEqual(["Active", [["get", "list"], ["delete"]], "edit"]);
  });

  it("leaves alone what opted out", () => {
    const made = world();
    const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
    made.client.create(clusterRoles, { metadata: { name: "kept", annotations }, rules: [] });
    const wanted = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: kept}
rules:
- {nonResourceURLs: [/x], verbs: [get]}
`;
    check(
      [
        {
          line: "auth reconcile -f -",
          stdin: wanted,
          stdout: "clusterrole.rbac.authorization.k8s.io/kept reconciled\n",
          stderr:
            "\treconciliation required update, but object opted out (rbac.authorization.kubernetes.io/autoupdate: false)\n\tmissing rules added:\n\t\t{Verbs:[get] APIGroups:[] Resources:[] ResourceNames:[] NonResourceURLs:[/x]}\n",
        },
      ],
      made,
    );
    expect(made.client.get(clusterRoles, { namespace: "", name: "kept" }).rules ?? []).toEqual([]);
  });
});

describe("kubectl create role and clusterrole", () => {
  it("writes a rule a group, with the server's names", () => {
    check([
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
    check([
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

describe("kubectl create rolebinding and clusterrolebinding", () => {
  it("binds users, groups and service accounts", () => {
    check([
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
    check([
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

describe("kubectl describe", () => {
  it("[NET-447] of roles, bindings and service accounts prints what kubectl prints", () => {
    const made = world();
    const account = { metadata: { name: "robot", namespace: "team-a" }, imagePullSecrets: [{ name: "a" }, { name: "b" }] };
    made.client.create(serviceAccounts, account);
    check(
      [
        {
          line: "describe role reader -n team-a",
          stdout: `Name:         reader
Labels:       <none>
Annotations:  <none>
PolicyRule:
  Resources               Non-Resource URLs  Resource Names  Verbs
  ---------               -----------------  --------------  -----
  secrets                 []                 [own]           [get]
  deployments.apps/scale  []                 []              [get]
  pods/log                []                 []              [list get]
  pods                    []                 []              [list get]
`,
        },
        {
          line: "describe clusterrolebinding system:kube-dns",
          stdout: `Name:         system:kube-dns
Labels:       kubernetes.io/bootstrapping=rbac-defaults
Annotations:  rbac.authorization.kubernetes.io/autoupdate: true
Role:
  Kind:  ClusterRole
  Name:  system:kube-dns
Subjects:
  Kind            Name      Namespace
  ----            ----      ---------
  ServiceAccount  kube-dns  kube-system
`,
        },
        {
          line: "describe sa robot -n team-a",
          stdout: `Name:                robot
Namespace:           team-a
Labels:              <none>
Annotations:         <none>
Image pull secrets:  a
                     b
Events:              <none>
`,
        },
      ],
      made,
    );
  });
});

describe("kubectl create token", () => {
  it("prints the token alone, or the answer", () => {
    const made = world();
    made.client.create(serviceAccounts, { metadata: { name: "robot", namespace: "default" } });
    const { code, stdout } = made.run("create token robot --duration=10m --audience=vault");
    const claims = JSON.parse(atob((stdout.split(".")[1] as string).replaceAll("-", "+").replaceAll("_", "/")));
    expect([code, stdout.includes("\n"), claims.aud, claims.exp - claims.iat]).toEqual([0, false, ["vault"], 600]);
    expect(made.run("create token robot -o jsonpath={.spec.expirationSeconds}").stdout).toBe("3600");
  });

  it("words what is wrong as kubectl does", () => {
    check([
      { line: "create token nobody", code: 1, stderr: 'error: failed to create token: serviceaccounts "nobody" not found\n' },
      {
        line: "create token default --duration=5m",
        code: 1,
        stderr:
          'error: failed to create token: TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 300: may not specify a duration less than 10 minutes\n',
      },
      { line: "create token default --duration=-1s", code: 1, stderr: "error: --duration must be greater than or equal to 0\n" },
      {
        line: "create token default --duration=1500ms",
        code: 1,
        stderr: "error: --duration cannot be expressed in units less than seconds\n",
      },
      {
        line: "create token default --bound-object-name=x",
        code: 1,
        stderr: "error: --bound-object-name can only be set if --bound-object-kind is provided\n",
      },
      {
        line: "create token default --bound-object-kind=Job",
        code: 1,
        stderr: "error: supported --bound-object-kind values are Node, Pod, Secret\n",
      },
      {
        line: "create token default --bound-object-kind=Pod",
        code: 1,
        stderr: "error: --bound-object-name is required if --bound-object-kind is provided\n",
      },
    ]);
  });
});
