import { describe, expect, it } from "vitest";
import { type AuditedAttributes, judgeOf, type PolicyRule } from "./policy.ts";

const alice = { name: "alice", groups: ["dev", "system:authenticated"] };
const getPod: AuditedAttributes = {
  user: alice,
  verb: "get",
  isResource: true,
  path: "/api/v1/namespaces/team/pods/web",
  group: "",
  resource: "pods",
  subresource: "",
  namespace: "team",
  name: "web",
};
const log = { ...getPod, subresource: "log" };
const scale = { ...getPod, group: "apps", resource: "deployments", subresource: "scale", verb: "update" };
const node = { ...getPod, resource: "nodes", namespace: "", name: "node-1" };
const healthz = { ...getPod, isResource: false, path: "/healthz/etcd", resource: "", namespace: "", name: "" };
const nobody = { ...getPod, user: undefined };

describe("a rule of an audit policy", () => {
  it.each<[string, Omit<PolicyRule, "level">, AuditedAttributes, boolean]>([
    ["nothing said: everything", {}, getPod, true],
    ["nothing said: paths too", {}, healthz, true],
    ["nothing said: refused credentials too", {}, nobody, true],
    ["an empty list asks for nothing", { users: [], resources: [], nonResourceURLs: [] }, getPod, true],
    ["its user", { users: ["bob", "alice"] }, getPod, true],
    ["another user", { users: ["bob"] }, getPod, false],
    ["a user, but nobody knows who asked", { users: ["alice"] }, nobody, false],
    ["one of its groups", { userGroups: ["ops", "dev"] }, getPod, true],
    ["none of its groups", { userGroups: ["ops"] }, getPod, false],
    ["a group, but nobody knows who asked", { userGroups: ["dev"] }, nobody, false],
    ["its verb", { verbs: ["get", "list"] }, getPod, true],
    ["another verb", { verbs: ["create"] }, getPod, false],
    ["verbs have no wildcard", { verbs: ["*"] }, getPod, false],
    ["its namespace", { namespaces: ["team"] }, getPod, true],
    ["another namespace", { namespaces: ["default"] }, getPod, false],
    ["no namespace", { namespaces: [""] }, node, true],
    ["namespaces are none of paths", { namespaces: [""] }, healthz, false],
    ["the core group", { resources: [{ group: "" }] }, getPod, true],
    ["a group left out is the core group", { resources: [{ resources: ["pods"] }] }, getPod, true],
    ["another group", { resources: [{ group: "apps" }] }, getPod, false],
    ["all groups", { resources: [{ group: "*", resources: ["deployments/scale"] }] }, scale, true],
    ["a group takes subresources along", { resources: [{ group: "apps" }] }, scale, true],
    ["a kind is not its subresources", { resources: [{ resources: ["pods"] }] }, log, false],
    ["a subresource is not its kind", { resources: [{ resources: ["pods/log"] }] }, getPod, false],
    ["a subresource", { resources: [{ resources: ["pods/log"] }] }, log, true],
    ["all subresources of a kind", { resources: [{ resources: ["pods/*"] }] }, log, true],
    ["the same form takes the kind itself", { resources: [{ resources: ["pods/*"] }] }, getPod, true],
    ["a subresource of all kinds", { resources: [{ group: "apps", resources: ["*/scale"] }] }, scale, true],
    ["another subresource of all kinds", { resources: [{ resources: ["*/status"] }] }, log, false],
    ["everything of a group", { resources: [{ resources: ["*"] }] }, log, true],
    ["its name", { resources: [{ resources: ["pods"], resourceNames: ["web"] }] }, getPod, true],
    ["another name", { resources: [{ resources: ["pods"], resourceNames: ["db"] }] }, getPod, false],
    ["the second of its groups", { resources: [{ group: "apps" }, { group: "" }] }, getPod, true],
    ["a path", { nonResourceURLs: ["/healthz/etcd"] }, healthz, true],
    ["what begins like a path", { nonResourceURLs: ["/healthz*"] }, healthz, true],
    ["all paths", { nonResourceURLs: ["*"] }, healthz, true],
    ["paths end where they end", { nonResourceURLs: ["/healthz"] }, healthz, false],
    ["paths are no resources", { nonResourceURLs: ["*"] }, getPod, false],
    ["all that it says must hold", { users: ["alice"], verbs: ["delete"] }, getPod, false],
  ])("%s", (_title, rule, attributes, fits) => {
    expect(judgeOf({ rules: [{ ...rule, level: "Request" }] })(attributes).level).toBe(fits ? "Request" : "None");
  });

  it("is the first that fits", () => {
    const judge = judgeOf({
      rules: [{ level: "None", users: ["alice"] }, { level: "RequestResponse", verbs: ["get"] }, { level: "Metadata" }],
    });
    const bob = { ...getPod, user: { name: "bob", groups: [] } };
    expect([judge(getPod), judge(bob), judge({ ...bob, verb: "list" })].map(({ level }) => level)).toEqual([
      "None",
      "RequestResponse",
      "Metadata",
    ]);
  });

  it("leaves out its stages and the policy's; on managed fields it has the last word", () => {
    const judge = judgeOf({
      omitStages: ["RequestReceived"],
      omitManagedFields: true,
      rules: [
        { level: "Request", verbs: ["get"], omitStages: ["Panic"], omitManagedFields: false },
        { level: "Metadata", verbs: ["list"] },
      ],
    });
    expect(judge(getPod)).toEqual({ level: "Request", omitStages: ["RequestReceived", "Panic"], omitManagedFields: false });
    expect(judge({ ...getPod, verb: "list" })).toEqual({
      level: "Metadata",
      omitStages: ["RequestReceived"],
      omitManagedFields: true,
    });
    expect(judge({ ...getPod, verb: "watch" }).level).toBe("None");
  });
});
