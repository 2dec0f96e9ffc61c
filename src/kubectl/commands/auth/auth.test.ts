import { describe, expect, it } from "vitest";
import { roleBindings } from "#cluster/api/kinds.ts";
import { check } from "../../kubectl.test-kit.ts";
import { rbacWorld } from "../../rbac.test-kit.ts";

const jane = "--as=jane -n team-a";

describe("kubectl auth can-i", () => {
  it("says yes or no, with its exit code", () => {
    check(rbacWorld(), [
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
    check(rbacWorld(), [
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
    check(rbacWorld(), [
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
    const made = rbacWorld();
    made.client.create(roleBindings, {
      metadata: { name: "early", namespace: "team-a" },
      roleRef: { kind: "Role", name: "later" },
      subjects: [{ kind: "User", name: "jane" }],
    });
    check(made, [
      {
        line: `auth can-i delete pods ${jane}`,
        code: 1,
        stdout: 'no - RBAC: role.rbac.authorization.k8s.io "later" not found\n',
      },
    ]);
  });

  it("lists the rules, taken apart and put together as kubectl does", () => {
    check(rbacWorld(), [
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
    const { stdout, stderr } = rbacWorld().run("auth can-i --list --as=system:node:w-1 --as-group=system:nodes --no-headers");
    expect([stdout.split("\n")[0], stderr]).toEqual([
      "selfsubjectreviews.authentication.k8s.io        []             []    [create]",
      "Warning: the list may be incomplete: node authorizer does not support user rule resolution\n",
    ]);
  });
});

describe("kubectl auth whoami", () => {
  it("prints the user's attributes", () => {
    check(rbacWorld(), [
      {
        line: "auth whoami --as=jane --as-group=dev --as-group=ops --as-uid=7",
        stdout: `ATTRIBUTE   VALUE
Username    jane
UID         7
Groups      [dev ops system:authenticated]
`,
      },
      // From upstream's test/cmd: values of one key, and commas in them.
      {
        line: "auth whoami --as=jane --as-group=,,,dev --as-user-extra key1=one,two --as-user-extra 'key1=the best' --as-user-extra key2=v",
        stdout: `ATTRIBUTE     VALUE
Username      jane
Groups        [,,,dev system:authenticated]
Extra: key1   [one,two the best]
Extra: key2   [v]
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
