import { describe, expect, it } from "vitest";
import type { PolicyRule } from "#cluster/api/generated/types.ts";
import { clusterRoleBindings, clusterRoles, namespaces, roleBindings, roles } from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchangeAs, json, peerOf } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";

const group = "/apis/rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";
const writesRoles: PolicyRule = {
  verbs: ["create", "update", "patch"],
  apiGroups: [apiGroup],
  resources: ["roles", "clusterroles", "rolebindings", "clusterrolebindings"],
};
const readsPods: PolicyRule = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods", "pods/log"] };

/** A server in which jane writes roles and holds `rules` everywhere. */
function start(...rules: readonly PolicyRule[]) {
  const { server, client } = startServer();
  client.create(namespaces, { metadata: { name: "team" } });
  client.create(clusterRoles, { metadata: { name: "granted" }, rules: [writesRoles, ...rules] });
  client.create(clusterRoleBindings, {
    metadata: { name: "granted" },
    roleRef: { kind: "ClusterRole", name: "granted" },
    subjects: [{ kind: "User", name: "jane" }],
  });
  const send = (method: string, path: string, body: JsonValue): readonly [number, JsonValue] => {
    const reply = exchangeAs(peerOf("jane", ["dev"]), server, { method, target: `${group}${path}`, body });
    return [reply.status, reply.status < 300 ? "" : (json(reply)["message"] as JsonValue)];
  };
  return { client, send };
}

const roleWith = (...rules: readonly PolicyRule[]): JsonValue => ({ metadata: { name: "new" }, rules: rules as JsonValue });
const bindingTo = (kind: string, name: string): JsonValue => ({
  metadata: { name: "new" },
  roleRef: { apiGroup, kind, name },
  subjects: [{ kind: "User", name: "bob" }],
});

const attempt = (lines: string): string =>
  `user "jane" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n${lines}`;

describe("who writes a role", () => {
  it("may give what they hold", () => {
    const { send } = start(readsPods);
    expect(send("POST", "/namespaces/team/roles", roleWith({ ...readsPods, verbs: ["get"], resourceNames: ["web"] }))).toEqual([
      201,
      "",
    ]);
    expect(send("POST", "/clusterroles", roleWith(readsPods))).toEqual([201, ""]);
  });

  it("may give no more, by verbs, resources, groups, names and paths", () => {
    const { send } = start({ ...readsPods, resourceNames: ["web"] });
    const rules: readonly PolicyRule[] = [
      { verbs: ["list", "delete"], apiGroups: ["", "apps"], resources: ["pods"] },
      { verbs: ["get"], apiGroups: [""], resources: ["pods"], resourceNames: ["web", "db"] },
      { verbs: ["get"], nonResourceURLs: ["/metrics"] },
    ];
    expect(send("POST", "/clusterroles", roleWith(...rules))).toEqual([
      403,
      `clusterroles.rbac.authorization.k8s.io "new" is forbidden: ${attempt(
        [
          '{APIGroups:[""], Resources:["pods"], ResourceNames:["db"], Verbs:["get"]}',
          '{APIGroups:[""], Resources:["pods"], Verbs:["list" "delete"]}',
          '{APIGroups:["apps"], Resources:["pods"], Verbs:["list" "delete"]}',
          '{NonResourceURLs:["/metrics"], Verbs:["get"]}',
        ].join("\n"),
      )}`,
    ]);
  });

  it("is stopped before the role is looked at", () => {
    const { send } = start();
    const invalid = roleWith({ verbs: ["get"], apiGroups: [""], resources: ["pods"], nonResourceURLs: ["/x"] });
    expect(send("POST", "/clusterroles", invalid)[0]).toBe(403);
  });

  it("may give more with the right to escalate", () => {
    const { send } = start({ verbs: ["escalate"], apiGroups: [apiGroup], resources: ["clusterroles"] });
    expect(send("POST", "/clusterroles", roleWith(readsPods))).toEqual([201, ""]);
    expect(send("POST", "/namespaces/team/roles", roleWith(readsPods))[0]).toBe(403);
  });

  it("cannot raise a role that is there, by update or patch, but may take finalizers away", () => {
    const { client, send } = start();
    const role = client.create(roles, {
      metadata: { name: "new", namespace: "team", finalizers: ["example.com/x"] },
      rules: [readsPods],
    });
    const update = { ...role, metadata: { ...role.metadata, labels: { tier: "front" } } } as JsonValue;
    const refusal = `roles.rbac.authorization.k8s.io "new" is forbidden: ${attempt(
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}\n{APIGroups:[""], Resources:["pods/log"], Verbs:["get" "list"]}',
    )}`;
    expect(send("PUT", "/namespaces/team/roles/new", update)).toEqual([403, refusal]);
    const unheld = { ...role, metadata: { ...role.metadata, finalizers: [] } } as JsonValue;
    expect(send("PUT", "/namespaces/team/roles/new", unheld)).toEqual([200, ""]);
  });

  it("needs everything to make a role that gathers others", () => {
    const { send } = start();
    const gathering = { metadata: { name: "new" }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } };
    expect(send("POST", "/clusterroles", gathering)).toEqual([
      403,
      'clusterroles.rbac.authorization.k8s.io "new" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    ]);
  });
});

describe("who binds a role", () => {
  it.each([
    ["ClusterRole", "podreader", [], 403],
    ["ClusterRole", "podreader", [readsPods], 201],
    [
      "ClusterRole",
      "podreader",
      [{ verbs: ["bind"], apiGroups: [apiGroup], resources: ["clusterroles"], resourceNames: ["podreader"] }],
      201,
    ],
    [
      "ClusterRole",
      "podreader",
      [{ verbs: ["bind"], apiGroups: [apiGroup], resources: ["clusterroles"], resourceNames: ["x"] }],
      403,
    ],
    ["Role", "podreader", [{ verbs: ["bind"], apiGroups: [apiGroup], resources: ["roles"] }], 201],
  ] as const)("%s %s while holding %j: %i", (kind, name, rules, status) => {
    const { client, send } = start(...(rules as readonly PolicyRule[]));
    client.create(clusterRoles, { metadata: { name: "podreader" }, rules: [readsPods] });
    client.create(roles, { metadata: { name: "podreader", namespace: "team" }, rules: [readsPods] });
    expect(send("POST", "/namespaces/team/rolebindings", bindingTo(kind, name))[0]).toBe(status);
  });

  it("is told what is missing, and that a role is not there", () => {
    const { client, send } = start();
    client.create(clusterRoles, {
      metadata: { name: "podlister" },
      rules: [{ verbs: ["list"], apiGroups: [""], resources: ["pods"] }],
    });
    expect([
      send("POST", "/namespaces/team/rolebindings", bindingTo("ClusterRole", "podlister")),
      send("POST", "/clusterrolebindings", bindingTo("ClusterRole", "nothing")),
    ]).toEqual([
      [
        403,
        `rolebindings.rbac.authorization.k8s.io "new" is forbidden: ${attempt('{APIGroups:[""], Resources:["pods"], Verbs:["list"]}')}`,
      ],
      [404, 'clusterrolebindings.rbac.authorization.k8s.io "nothing" not found'],
    ]);
  });

  it("as an administrator binds what does not exist yet", () => {
    const { client } = start();
    const binding = client.create(roleBindings, {
      metadata: { name: "early", namespace: "team" },
      roleRef: { kind: "Role", name: "later" },
      subjects: [],
    });
    expect(binding.roleRef).toEqual({ apiGroup, kind: "Role", name: "later" });
  });
});
