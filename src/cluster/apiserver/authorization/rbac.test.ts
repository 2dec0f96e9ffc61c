import { describe, expect, it } from "vitest";
import type { PolicyRule, RbacV1Subject } from "#cluster/api/generated/types.ts";
import { clusterRoleBindings, clusterRoles, configMaps, namespaces, roleBindings, roles } from "#cluster/api/kinds.ts";
import type { Client } from "#cluster/client/client.ts";
import type { HttpPeer } from "#sim/http.ts";
import { anonymousPeer, exchangeAs, json, peerOf, type TestReply } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";
import { allowedReason } from "./rbac.ts";

const jane = peerOf("jane", ["dev"]);
const namespace = "team";

function start() {
  const { server, client } = startServer();
  client.create(namespaces, { metadata: { name: namespace } });
  const ask = (method: string, path: string, body?: Parameters<typeof exchangeAs>[2]["body"], peer: HttpPeer = jane): TestReply =>
    exchangeAs(peer, server, { method, target: path, body });
  return { server, client, ask };
}

const toJane: RbacV1Subject = { kind: "User", name: "jane" };

/** Gives rules in the namespace `team`. */
function grant(client: Client, rules: readonly PolicyRule[], subject = toJane): void {
  client.create(roles, { metadata: { name: "granted", namespace }, rules });
  client.create(roleBindings, {
    metadata: { name: "granted", namespace },
    roleRef: { kind: "Role", name: "granted" },
    subjects: [subject],
  });
}

function grantEverywhere(client: Client, rules: readonly PolicyRule[]): void {
  client.create(clusterRoles, { metadata: { name: "granted" }, rules });
  client.create(clusterRoleBindings, {
    metadata: { name: "granted" },
    roleRef: { kind: "ClusterRole", name: "granted" },
    subjects: [toJane],
  });
}

const inTeam = "/api/v1/namespaces/team";

describe("RBAC", () => {
  it.each([
    [
      "GET",
      `${inTeam}/secrets/b`,
      'secrets "b" is forbidden: User "jane" cannot get resource "secrets" in API group "" in the namespace "team"',
    ],
    ["GET", `${inTeam}/pods`, 'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "team"'],
    [
      "GET",
      "/api/v1/pods?watch=true",
      'pods is forbidden: User "jane" cannot watch resource "pods" in API group "" at the cluster scope',
    ],
    ["GET", "/api/v1/nodes", 'nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope'],
    [
      "GET",
      `${inTeam}/pods/web/log`,
      'pods "web" is forbidden: User "jane" cannot get resource "pods/log" in API group "" in the namespace "team"',
    ],
    [
      "DELETE",
      "/apis/apps/v1/namespaces/team/deployments",
      'deployments.apps is forbidden: User "jane" cannot deletecollection resource "deployments" in API group "apps" in the namespace "team"',
    ],
    [
      "GET",
      "/apis/example.com/v1/widgets",
      'widgets.example.com is forbidden: User "jane" cannot list resource "widgets" in API group "example.com" at the cluster scope',
    ],
    ["GET", "/metrics", 'forbidden: User "jane" cannot get path "/metrics"'],
    ["POST", "/version", 'forbidden: User "jane" cannot post path "/version"'],
  ])("[NET-390] [API-022] refuses %s %s with the words of the real one", (method, path, message) => {
    const reply = start().ask(method, path);
    expect([reply.status, json(reply)["reason"], json(reply)["message"]]).toEqual([403, "Forbidden", message]);
  });

  it("says of which object a refusal is", () => {
    expect(json(start().ask("GET", "/apis/apps/v1/namespaces/team/deployments/web"))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message:
        'deployments.apps "web" is forbidden: User "jane" cannot get resource "deployments" in API group "apps" in the namespace "team"',
      reason: "Forbidden",
      details: { name: "web", group: "apps", kind: "deployments" },
      code: 403,
    });
  });

  it.each([
    [{ verbs: ["get"], apiGroups: [""], resources: ["configmaps"] }, [404, 403]],
    [{ verbs: ["*"], apiGroups: [""], resources: ["configmaps"] }, [404, 200]],
    [{ verbs: ["list"], apiGroups: ["*"], resources: ["*"] }, [403, 200]],
    [{ verbs: ["get", "list"], apiGroups: ["apps"], resources: ["configmaps"] }, [403, 403]],
    [{ verbs: ["get", "list"], apiGroups: [""], resources: ["configmaps/status"] }, [403, 403]],
    [{ verbs: ["get", "list"], apiGroups: [""], resources: ["configmaps"], resourceNames: ["a"] }, [404, 403]],
    [{ verbs: ["get", "list"], apiGroups: [""], resources: ["configmaps"], resourceNames: ["b"] }, [403, 403]],
  ])("[NET-389] the rule %j answers a get and a list with %j", (rule, statuses) => {
    const { client, ask } = start();
    grant(client, [rule]);
    expect([ask("GET", `${inTeam}/configmaps/a`).status, ask("GET", `${inTeam}/configmaps`).status]).toEqual(statuses);
  });

  it.each([
    ["pods", 403],
    ["pods/log", 404],
    ["*/log", 404],
    ["*", 404],
  ])("a rule for %s answers a request for a log with %i", (resource, status) => {
    const { client, ask } = start();
    grant(client, [{ verbs: ["get"], apiGroups: [""], resources: [resource] }]);
    expect(ask("GET", `${inTeam}/pods/web/log`).status).toBe(status);
  });

  it("a list that selects a name is a request for that name", () => {
    const { client, ask } = start();
    grant(client, [{ verbs: ["list"], apiGroups: [""], resources: ["configmaps"], resourceNames: ["a"] }]);
    const list = (name: string): TestReply => ask("GET", `${inTeam}/configmaps?fieldSelector=metadata.name%3D${name}`);
    expect([list("a").status, list("b").status, json(list("b"))["message"]]).toEqual([
      200,
      403,
      'configmaps "b" is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "team"',
    ]);
  });

  it.each([
    ["/logs/*", "/logs/kubelet", 404],
    ["/logs/*", "/logs", 403],
    ["/logs", "/logs", 404],
    ["*", "/metrics", 200],
    ["/met*rics", "/metrics", 403],
  ])("a rule for the path %s answers %s with %i", (pattern, path, status) => {
    const { client, ask } = start();
    grantEverywhere(client, [{ verbs: ["get"], nonResourceURLs: [pattern] }]);
    expect(ask("GET", path).status).toBe(status);
  });

  it.each([
    [{ kind: "User", name: "jane" }, 200],
    [{ kind: "User", name: "Jane" }, 403],
    [{ kind: "Group", name: "dev" }, 200],
    [{ kind: "Group", name: "system:authenticated" }, 200],
    [{ kind: "Group", name: "system:unauthenticated" }, 403],
    [{ kind: "ServiceAccount", name: "jane", namespace }, 403],
  ])("a binding to %j answers jane with %i", (subject, status) => {
    const { client, ask } = start();
    grant(client, [{ verbs: ["list"], apiGroups: [""], resources: ["configmaps"] }], subject);
    expect(ask("GET", `${inTeam}/configmaps`).status).toBe(status);
  });

  it("a service account without namespace is one of the binding's", () => {
    const { client, ask } = start();
    grant(client, [{ verbs: ["list"], apiGroups: [""], resources: ["configmaps"] }], { kind: "ServiceAccount", name: "robot" });
    const robot = peerOf("system:serviceaccount:team:robot", []);
    expect(ask("GET", `${inTeam}/configmaps`, undefined, robot).status).toBe(200);
  });

  it("forgets what it knew when a role, a binding or their absence changes the answer", () => {
    const { client, ask } = start();
    const list = (): number => ask("GET", `${inTeam}/configmaps`).status;
    const statuses = [list()];
    client.create(roleBindings, {
      metadata: { name: "early", namespace },
      roleRef: { kind: "ClusterRole", name: "reader" },
      subjects: [toJane],
    });
    statuses.push(list());
    client.create(clusterRoles, {
      metadata: { name: "reader" },
      rules: [{ verbs: ["list"], apiGroups: [""], resources: ["configmaps"] }],
    });
    statuses.push(list(), ask("GET", "/api/v1/configmaps").status);
    client.delete(roleBindings, { namespace, name: "early" });
    expect([...statuses, list()]).toEqual([403, 403, 200, 403, 403]);
  });

  it("names the first binding that allows a request, of each object its own, and keeps it with the request", () => {
    const { server, client, ask } = start();
    for (const [name, names] of [
      ["first", ["one"]],
      ["second", []],
    ] as const) {
      client.create(roles, {
        metadata: { name, namespace },
        rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"], resourceNames: names }],
      });
      const roleRef = { kind: "Role", name };
      client.create(roleBindings, { metadata: { name, namespace }, roleRef, subjects: [toJane] });
    }
    const allowedBy = (name: string) => {
      ask("GET", `${inTeam}/configmaps/${name}`);
      return server.audit.events().at(-1)?.allowedBy?.binding.metadata.name;
    };
    expect(["two", "one", "two", "one"].map(allowedBy)).toEqual(["second", "first", "second", "first"]);
    const asked = server.audit.events().at(-1);
    client.delete(roleBindings, { namespace, name: "first" });
    expect([allowedReason(asked?.allowedBy), allowedBy("one")]).toEqual([
      'RBAC: allowed by RoleBinding "first/team" of Role "first" to User "jane"',
      "second",
    ]);
  });

  it("tells of a binding whose role is not there", () => {
    const { client, ask } = start();
    client.create(roleBindings, {
      metadata: { name: "early", namespace },
      roleRef: { kind: "Role", name: "reader" },
      subjects: [toJane],
    });
    expect(json(ask("GET", `${inTeam}/configmaps`))["message"]).toBe(
      'configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "team": RBAC: role.rbac.authorization.k8s.io "reader" not found',
    );
  });

  it("[API-043] leaves health and version to everyone, discovery to those who are known", () => {
    const { ask } = start();
    const statusOf = (path: string, peer: HttpPeer): number => ask("GET", path, undefined, peer).status;
    const paths = ["/healthz", "/livez", "/readyz", "/version", "/", "/api", "/apis", "/openapi/v2", "/livez/ping", "/metrics"];
    expect(paths.map((path) => [path, statusOf(path, anonymousPeer), statusOf(path, jane)])).toEqual([
      ["/healthz", 200, 200],
      ["/livez", 200, 200],
      ["/readyz", 200, 200],
      ["/version", 200, 200],
      ["/", 403, 403],
      ["/api", 403, 200],
      ["/apis", 403, 200],
      ["/openapi/v2", 403, 200],
      ["/livez/ping", 403, 403],
      ["/metrics", 403, 403],
    ]);
  });

  it("[API-047] reports the first stage that a request fails at", () => {
    const { server, client } = start();
    const body = { metadata: { name: "A b" }, nonsense: true };
    const path = "/api/v1/namespaces/none/configmaps?fieldValidation=Strict";
    const post = (headers: { readonly [name: string]: string }, peer: HttpPeer): unknown => {
      const { code, message } = json(exchangeAs(peer, server, { method: "POST", target: path, body, headers }));
      return [code, message];
    };
    const answers = [post({ authorization: "Bearer x" }, anonymousPeer), post({}, jane)];
    grantEverywhere(client, [{ verbs: ["create"], apiGroups: [""], resources: ["configmaps"] }]);
    answers.push(post({}, jane));
    const valid = exchangeAs(jane, server, {
      method: "POST",
      target: "/api/v1/namespaces/none/configmaps",
      body: { metadata: { name: "A b" } },
    });
    expect([...answers, [json(valid)["code"], json(valid)["message"]]]).toEqual([
      [401, "Unauthorized"],
      [403, 'configmaps is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace "none"'],
      [400, 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "nonsense"'],
      [404, 'namespaces "none" not found'],
    ]);
  });

  // pods/exec by WebSocket is a GET; since 1.35 the right to create is needed as well, and its absence has no words.
  it.each([
    [[], 'pods "web" is forbidden: User "jane" cannot get resource "pods/exec" in API group "" in the namespace "team"'],
    [["get"], 'pods "web" is forbidden: '],
    [["get", "create"], 'pods "web" not found'],
  ])("answers an exec of whoever may %j with %s", (verbs, message) => {
    const { client, ask } = start();
    grant(
      client,
      [{ verbs, apiGroups: [""], resources: verbs.length === 0 ? ["x"] : ["pods/exec"] }].filter((rule) => rule.verbs.length > 0),
    );
    expect(json(ask("GET", `${inTeam}/pods/web/exec?command=ls`))["message"]).toBe(message);
  });

  it("asks for create of whoever makes an object by an apply or an update", () => {
    const { server, client, ask } = start();
    const rules = [
      { verbs: ["patch"], apiGroups: [""], resources: ["configmaps"] },
      { verbs: ["update"], apiGroups: ["coordination.k8s.io"], resources: ["leases"] },
    ];
    grant(client, rules);
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
    const headers = { "content-type": "application/apply-patch+yaml" };
    const apply = exchangeAs(jane, server, {
      method: "PATCH",
      target: `${inTeam}/configmaps/a?fieldManager=me`,
      body: map,
      headers,
    });
    const lease = ask("PUT", "/apis/coordination.k8s.io/v1/namespaces/team/leases/a", { metadata: { name: "a" } });
    expect([json(apply)["message"], json(lease)["message"]]).toEqual([
      'configmaps "a" is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace "team"',
      'leases.coordination.k8s.io "a" is forbidden: User "jane" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "team"',
    ]);
  });

  it("[API-308] refuses components as it refuses people, and leaves the object as it is", () => {
    const { server, client } = start();
    client.create(configMaps, { metadata: { name: "a", namespace }, data: { key: "old" } });
    const proxy = server.clientFor({ name: "system:kube-proxy", groups: ["system:authenticated"] }, "kube-proxy");
    const map = client.get(configMaps, { namespace, name: "a" });
    expect(() => proxy.update(configMaps, { ...map, data: { key: "new" } })).toThrow(
      'configmaps "a" is forbidden: User "system:kube-proxy" cannot update resource "configmaps" in API group "" in the namespace "team"',
    );
    expect(client.get(configMaps, { namespace, name: "a" })).toBe(map);
  });
});
