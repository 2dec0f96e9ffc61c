import { describe, expect, it } from "vitest";
import type { PolicyRule } from "#cluster/api/generated/types.ts";
import { clusterRoleBindings, clusterRoles } from "#cluster/api/kinds.ts";
import type { HttpHeaders } from "#sim/http.ts";
import { exchangeAs, json, peerOf } from "./http/http-call.test-kit.ts";
import { startServer } from "./test-server.test-kit.ts";

const review = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };

/** Who the server takes jane for, or the message of its refusal. */
function impersonated(headers: HttpHeaders, rules: readonly PolicyRule[] = everything) {
  const { server, client } = startServer();
  client.create(clusterRoles, { metadata: { name: "granted" }, rules });
  client.create(clusterRoleBindings, {
    metadata: { name: "granted" },
    roleRef: { kind: "ClusterRole", name: "granted" },
    subjects: [{ kind: "User", name: "jane" }],
  });
  const reply = json(exchangeAs(peerOf("jane", []), server, { method: "POST", target: review, body, headers }));
  return (reply["status"] as { readonly userInfo?: unknown }).userInfo ?? [reply["code"], reply["message"]];
}

const everything: readonly PolicyRule[] = [
  { verbs: ["impersonate"], apiGroups: [""], resources: ["users", "groups", "serviceaccounts"] },
  { verbs: ["impersonate"], apiGroups: ["authentication.k8s.io"], resources: ["uids", "userextras/scopes"] },
];

describe("a user who may impersonate", () => {
  it.each([
    [{ "impersonate-user": "bob" }, { username: "bob", groups: ["system:authenticated"] }],
    [
      { "impersonate-user": "bob", "impersonate-group": "dev\nops", "impersonate-uid": "7", "impersonate-extra-scopes": "view" },
      { username: "bob", uid: "7", groups: ["dev", "ops", "system:authenticated"], extra: { scopes: ["view"] } },
    ],
    [
      { "impersonate-user": "bob", "impersonate-group": ",,,dev\nops", "impersonate-extra-scopes": "view,all\nnone" },
      { username: "bob", groups: [",,,dev", "ops", "system:authenticated"], extra: { scopes: ["view,all", "none"] } },
    ],
    [
      { "impersonate-user": "system:serviceaccount:team:robot" },
      {
        username: "system:serviceaccount:team:robot",
        groups: ["system:serviceaccounts", "system:serviceaccounts:team", "system:authenticated"],
      },
    ],
    [
      { "impersonate-user": "system:serviceaccount:team:robot", "impersonate-group": "dev" },
      { username: "system:serviceaccount:team:robot", groups: ["dev", "system:authenticated"] },
    ],
  ])("is with %j who they say", (headers, user) => {
    expect(impersonated(headers)).toEqual(user);
  });

  // v1.36 asks the ways of constrained impersonation first, and their refusal is the one that is told.
  it.each([
    [
      { "impersonate-user": "bob" },
      'selfsubjectreviews.authentication.k8s.io is forbidden: User "jane" cannot impersonate-on:user-info:create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope',
    ],
    [
      { "impersonate-user": "system:serviceaccount:team:robot" },
      'selfsubjectreviews.authentication.k8s.io is forbidden: User "jane" cannot impersonate-on:serviceaccount:create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope',
    ],
    [
      { "impersonate-user": "system:node:node-1" },
      'selfsubjectreviews.authentication.k8s.io is forbidden: User "jane" cannot impersonate-on:arbitrary-node:create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope',
    ],
    [
      { "impersonate-user": "system:serviceaccount:team:robot", "impersonate-group": "dev" },
      'serviceaccounts "robot" is forbidden: User "jane" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "team"',
    ],
  ])("is refused as %j without the right to", (headers, message) => {
    expect(impersonated(headers, [])).toEqual([403, message]);
  });

  it("needs the right to each group", () => {
    const rules = [
      { verbs: ["impersonate"], apiGroups: [""], resources: ["serviceaccounts"] },
      { verbs: ["impersonate"], apiGroups: [""], resources: ["groups"], resourceNames: ["dev"] },
    ];
    const headers = { "impersonate-user": "system:serviceaccount:team:robot", "impersonate-group": "dev\nops" };
    expect(impersonated(headers, rules)).toEqual([
      403,
      'groups "ops" is forbidden: User "jane" cannot impersonate resource "groups" in API group "" at the cluster scope',
    ]);
  });

  it("becomes a node by name alone, within what that way allows", () => {
    const rules = [
      { verbs: ["impersonate:arbitrary-node"], apiGroups: ["authentication.k8s.io"], resources: ["nodes"] },
      { verbs: ["impersonate-on:arbitrary-node:create"], apiGroups: ["*"], resources: ["selfsubjectreviews"] },
    ];
    expect(impersonated({ "impersonate-user": "system:node:node-1" }, rules)).toEqual({
      username: "system:node:node-1",
      groups: ["system:nodes", "system:authenticated"],
    });
  });

  it("cannot name groups without a user", () => {
    expect(impersonated({ "impersonate-group": "dev" }, [])).toEqual([
      400,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"dev"}, Extra:map[string][]string(nil)} without impersonating a user name',
    ]);
  });
});
