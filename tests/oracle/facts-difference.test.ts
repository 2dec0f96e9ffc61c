import { describe, expect, it } from "vitest";
import { factFiles, factsDifference } from "./facts-difference.ts";

function difference(file: string, before: object, after: object): readonly string[] {
  return factsDifference(file, JSON.stringify(before), JSON.stringify(after));
}

describe("what differs between two releases' facts", () => {
  it.each(factFiles)("is nothing where %s is the same", (file) => {
    expect(difference(file, { a: {} }, { a: {} })).toEqual([]);
  });

  it("names types and fields that came and went, and what is said of a field", () => {
    const before = {
      "io.k8s.api.core.v1.Gone": { name: { go: "string" } },
      "io.k8s.api.core.v1.PodSpec": {
        old: { go: "bool", number: "3" },
        hosts: { go: "[]string", number: "4", patch: "merge:ip", empty: null },
      },
    };
    const after = {
      "io.k8s.api.core.v1.New": { "": "atomic", a: { go: "string" }, b: { go: "int32" } },
      "io.k8s.api.core.v1.PodSpec": {
        "": "atomic",
        hosts: { go: "[]string", number: "5", apply: "set", keepsZero: true },
        fresh: { go: "*string", number: "43" },
      },
    };
    expect(difference("types.json", before, after)).toEqual([
      "Fields of the API's types (src/upstream/types.json): 3 changes",
      "  removed: type io.k8s.api.core.v1.Gone",
      "  added: type io.k8s.api.core.v1.New, with the fields a, b",
      "  changed: type io.k8s.api.core.v1.PodSpec",
      "    server-side apply: nothing became atomic",
      "    added: field fresh, Go's type *string; number in protobuf 43",
      "    changed: field hosts",
      "      number in protobuf: 4 became 5",
      "      strategic merge patch: merge:ip became nothing",
      "      what is written when it is empty: null became nothing",
      "      server-side apply: nothing became set",
      "      zero is kept: nothing became yes",
      "    removed: field old",
    ]);
  });

  it("tells what discovery says of a resource, lists by what came and went", () => {
    const pods = { kind: "Pod", namespaced: true, verbs: ["get", "list"], shortNames: ["po"] };
    const before = { v1: { pods }, "old/v1": {} };
    const after = { v1: { pods: { ...pods, verbs: ["list", "watch"], shortNames: ["po"] } }, "new/v1": { things: pods } };
    expect(difference("resources.json", before, after)).toEqual([
      "What discovery says (src/upstream/resources.json): 3 changes",
      "  added: group version new/v1, with the resources things",
      "  removed: group version old/v1",
      "  changed: group version v1",
      "    changed: resource pods",
      "      verbs: without get, with watch",
    ]);
  });

  it("tells which lines of kubectl's texts are others, and flags", () => {
    const get = { usage: "[flags]", short: "Show", long: "One.\n Two.", flags: { all: { type: "bool", usage: "All." } } };
    const after = {
      get: { ...get, long: "One.\n Three.", flags: { all: { type: "bool", usage: "Each." }, watch: { type: "bool" } } },
      "get more": { ...get, flags: {} },
    };
    expect(difference("kubectl.json", { get }, after)).toEqual([
      "kubectl's commands (src/upstream/kubectl.json): 2 changes",
      "  changed: command kubectl get",
      "    help:",
      "      without “Two.”",
      "      with “Three.”",
      "    changed: flag --all",
      "      help: All. became Each.",
      "    added: flag --watch, type bool",
      "  added: command kubectl get more, “Show”, without flags",
    ]);
  });

  it("says in words what a role may and whom a binding is for", () => {
    const labels = { boot: "yes" };
    const rules = [{ verbs: ["get", "list"], apiGroups: ["", "apps"], resources: ["pods"] }];
    const subjects = [{ kind: "Group", name: "all" }];
    const binding = { labels, roleRef: { kind: "ClusterRole", name: "view" }, subjects };
    const before = { clusterRoles: { view: { labels, rules } }, roleBindings: { "kube-system/all": binding } };
    const after = {
      clusterRoles: {
        health: { labels, rules: [{ verbs: ["get"], nonResourceURLs: ["/healthz"] }] },
        view: { labels: {}, rules: [{ ...rules[0], resourceNames: ["web"] }] },
      },
      roleBindings: {
        "kube-system/all": { ...binding, subjects: [...subjects, { kind: "ServiceAccount", name: "web", namespace: "default" }] },
      },
    };
    expect(difference("bootstrap-policy.json", before, after)).toEqual([
      "Roles and bindings of an API server's start (src/upstream/bootstrap-policy.json): 3 changes",
      "  added: cluster role health, which may get /healthz",
      "  changed: cluster role view",
      "    lost: may get, list pods of the core group, apps",
      "    gained: may get, list pods of the core group, apps named web",
      "    lost: the label boot=yes",
      "  changed: role binding kube-system/all",
      "    gained: the subject ServiceAccount default/web",
    ]);
  });

  it("notices entries that only stand in another order", () => {
    expect(difference("types.json", { a: {}, b: {} }, { b: {}, a: {} })).toEqual([
      "Fields of the API's types (src/upstream/types.json): no change",
      "  the same entries stand in another order or form",
    ]);
  });
});
