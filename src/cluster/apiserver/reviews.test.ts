import { describe, expect, it } from "vitest";
import { namespaces, nodes, roleBindings, serviceAccounts } from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { HttpPeer } from "#sim/http.ts";
import { adminPeer, anonymousPeer, exchange, exchangeAs, json, peerOf } from "./http/http-call.test-kit.ts";
import { startServer } from "./test-server.test-kit.ts";

const authentication = "/apis/authentication.k8s.io/v1";
const authorization = "/apis/authorization.k8s.io/v1";

function start() {
  const { server, client, simulation } = startServer();
  client.create(namespaces, { metadata: { name: "team" } });
  client.create(roleBindings, {
    metadata: { name: "reads", namespace: "team" },
    roleRef: { kind: "ClusterRole", name: "system:aggregate-to-view" },
    subjects: [
      { kind: "User", name: "jane" },
      { kind: "ServiceAccount", name: "robot" },
    ],
  });
  const send = (path: string, body: JsonValue, peer: HttpPeer = adminPeer) =>
    json(exchangeAs(peer, server, { method: "POST", target: path, body }));
  return { server, client, simulation, send };
}

const listPods = { verb: "list", resource: "pods", namespace: "team" };
const byJane = 'RBAC: allowed by RoleBinding "reads/team" of ClusterRole "system:aggregate-to-view" to User "jane"';

describe("access reviews", () => {
  it.each([
    [
      { user: "jane", resourceAttributes: listPods },
      { allowed: true, reason: byJane },
    ],
    [{ user: "jane", resourceAttributes: { ...listPods, namespace: "default" } }, { allowed: false }],
    [{ user: "jane", resourceAttributes: { ...listPods, verb: "delete" } }, { allowed: false }],
    [
      { user: "system:serviceaccount:team:robot", resourceAttributes: listPods },
      {
        allowed: true,
        reason:
          'RBAC: allowed by RoleBinding "reads/team" of ClusterRole "system:aggregate-to-view" to ServiceAccount "robot/team"',
      },
    ],
    [{ groups: ["system:masters"], resourceAttributes: { verb: "*", resource: "*" } }, { allowed: true }],
    [
      { user: "bob", groups: ["system:authenticated"], nonResourceAttributes: { verb: "get", path: "/api" } },
      {
        allowed: true,
        reason:
          'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
      },
    ],
    [{ user: "bob", nonResourceAttributes: { verb: "get", path: "/metrics" } }, { allowed: false }],
    [
      {
        user: "system:node:w-1",
        groups: ["system:nodes"],
        resourceAttributes: { verb: "get", resource: "secrets", namespace: "team", name: "a" },
      },
      { allowed: false, reason: "no relationship found between node 'w-1' and this object" },
    ],
  ])("%j is answered with %j", (spec, status) => {
    expect(start().send(`${authorization}/subjectaccessreviews`, { spec } as JsonValue)).toMatchObject({ spec, status });
  });

  it("are about the asker, whoever asks, or about one namespace", () => {
    const { send } = start();
    const self = send(`${authorization}/selfsubjectaccessreviews`, { spec: { resourceAttributes: listPods } }, peerOf("jane", []));
    const local = send(`${authorization}/namespaces/team/localsubjectaccessreviews`, {
      metadata: { namespace: "team" },
      spec: { user: "jane", resourceAttributes: listPods },
    });
    expect([self["status"], local["status"]]).toEqual([
      { allowed: true, reason: byJane },
      { allowed: true, reason: byJane },
    ]);
  });

  it("say which selectors they could not read, and refuse those that select nothing", () => {
    const { send } = start();
    const ask = (selectors: { readonly [name: string]: JsonValue }) =>
      send(`${authorization}/subjectaccessreviews`, { spec: { user: "jane", resourceAttributes: { ...listPods, ...selectors } } });
    const allowed = { allowed: true, reason: byJane };
    const ignored = "spec.resourceAttributes.fieldSelector ignored due to parse error";
    const partly = "spec.resourceAttributes.fieldSelector partially ignored due to parse error";
    const one = { key: "a", operator: "In", values: ["b"] };
    const unknown = { key: "a", operator: "Near", values: ["b"] };
    expect(ask({ fieldSelector: { requirements: [one] } })["status"]).toEqual(allowed);
    expect(ask({ fieldSelector: { requirements: [unknown] } })["status"]).toEqual({ ...allowed, evaluationError: ignored });
    expect(ask({ fieldSelector: { requirements: [one, unknown] }, labelSelector: { rawSelector: "a in" } })["status"]).toEqual({
      ...allowed,
      evaluationError: `${partly}; spec.resourceAttributes.labelSelector ignored due to parse error`,
    });
    const fault = (selectors: { readonly [name: string]: JsonValue }) => ask(selectors)["message"];
    const place = '.authorization.k8s.io "" is invalid: spec.resourceAttributes.fieldSelector';
    expect([
      fault({ fieldSelector: {} }),
      fault({ fieldSelector: { requirements: [{ key: "", operator: "Exists" }] } }),
      fault({ fieldSelector: { requirements: [{ ...one, values: [] }] } }),
      fault({ fieldSelector: { rawSelector: "a=b", requirements: [one] } }),
    ]).toEqual([
      `${place}.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required`,
      `${place}.requirements[0].key: Required value: must be specified`,
      `${place}.requirements[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
      `${place}.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements`,
    ]);
  });

  it("are not stored, and their only verb is create", () => {
    const { server, send } = start();
    const revision = server.store.revision;
    send(`${authorization}/subjectaccessreviews`, { spec: { user: "jane", resourceAttributes: listPods } });
    expect([server.store.revision, exchange(server, "GET", `${authorization}/subjectaccessreviews`).status]).toEqual([
      revision,
      405,
    ]);
  });

  it.each([
    [
      "/subjectaccessreviews",
      { spec: {} },
      '[spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified, spec.user: Invalid value: "": at least one of user or group must be specified]',
    ],
    [
      "/selfsubjectaccessreviews",
      { spec: { resourceAttributes: { verb: "get" }, nonResourceAttributes: { path: "/" } } },
      'spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":""}: cannot be specified in combination with resourceAttributes',
    ],
    [
      "/subjectaccessreviews",
      { metadata: { name: "x" }, spec: { user: "jane", resourceAttributes: { verb: "get" } } },
      'metadata: Invalid value: {"name":"x"}: must be empty',
    ],
    [
      "/namespaces/team/localsubjectaccessreviews",
      { metadata: { namespace: "team" }, spec: { user: "jane", resourceAttributes: { namespace: "other" } } },
      'spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
    ],
  ])("%s of %j is no question", (path, body, message) => {
    const reply = start().send(`${authorization}${path}`, body as JsonValue);
    expect([reply["code"], reply["message"]]).toEqual([422, `.authorization.k8s.io "" is invalid: ${message}`]);
  });
});

describe("a rules review", () => {
  it("lists what the asker may do in a namespace", () => {
    const { client, send } = start();
    client.create(roleBindings, {
      metadata: { name: "early", namespace: "team" },
      roleRef: { kind: "Role", name: "later" },
      subjects: [{ kind: "User", name: "bob" }],
    });
    const reply = send(`${authorization}/selfsubjectrulesreviews`, { spec: { namespace: "team" } }, peerOf("bob", []));
    expect(reply).toEqual({
      kind: "SelfSubjectRulesReview",
      apiVersion: "authorization.k8s.io/v1",
      metadata: {},
      spec: {},
      status: {
        resourceRules: [
          {
            verbs: ["create"],
            apiGroups: ["authorization.k8s.io"],
            resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
          },
          { verbs: ["create"], apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"] },
        ],
        nonResourceRules: [
          {
            verbs: ["get"],
            nonResourceURLs: [
              "/api",
              "/api/*",
              "/apis",
              "/apis/*",
              "/healthz",
              "/livez",
              "/openapi",
              "/openapi/*",
              "/readyz",
              "/version",
              "/version/",
            ],
          },
          { verbs: ["get"], nonResourceURLs: ["/healthz", "/livez", "/readyz", "/version", "/version/"] },
        ],
        incomplete: false,
        evaluationError: 'role.rbac.authorization.k8s.io "later" not found',
      },
    });
  });

  it("says of kubelets that it does not know all, and needs a namespace", () => {
    const { client, send } = start();
    client.create(nodes, { metadata: { name: "w-1" } });
    const ofNode = send(
      `${authorization}/selfsubjectrulesreviews`,
      { spec: { namespace: "team" } },
      peerOf("system:node:w-1", ["system:nodes"]),
    );
    const without = send(`${authorization}/selfsubjectrulesreviews`, { spec: {} });
    expect([ofNode["status"], without["message"]]).toMatchObject([
      { incomplete: true, evaluationError: "node authorizer does not support user rule resolution" },
      "no namespace on request",
    ]);
  });
});

describe("a token review", () => {
  const robot = { namespace: "team", name: "robot" };

  it("tells whose token it is, or what is wrong with it", () => {
    const { client, send, simulation } = start();
    const account = client.create(serviceAccounts, { metadata: robot });
    const issue = (spec: JsonValue): string => {
      const reply = client.createSubresource(serviceAccounts, robot, "token", { spec });
      return (reply as { readonly status: { readonly token: string } }).status.token;
    };
    const review = (spec: JsonValue): JsonValue => send(`${authentication}/tokenreviews`, { spec })["status"] as JsonValue;
    const token = issue({});
    const vault = issue({ audiences: ["vault"] });
    const user = {
      username: "system:serviceaccount:team:robot",
      uid: account.metadata.uid,
      groups: ["system:serviceaccounts", "system:serviceaccounts:team", "system:authenticated"],
      extra: { "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^JTI=/)] },
    };
    expect([
      review({ token }),
      review({ token: vault, audiences: ["vault", "x"] }),
      review({ token: vault }),
      review({ token: "x" }),
    ]).toEqual([
      { authenticated: true, user, audiences: ["https://kubernetes.default.svc.cluster.local"] },
      { authenticated: true, user, audiences: ["vault"] },
      {
        user: {},
        error:
          '[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["https://kubernetes.default.svc.cluster.local"]]',
      },
      { user: {}, error: "invalid bearer token" },
    ]);
    simulation.advance(4_000_000);
    expect(review({ token })).toEqual({ user: {}, error: "[invalid bearer token, service account token has expired]" });
  });

  it("needs a token, and the right to ask", () => {
    const { send } = start();
    expect([
      send(`${authentication}/tokenreviews`, { spec: {} })["message"],
      send(`${authentication}/tokenreviews`, { spec: { token: "x" } }, peerOf("jane", []))["message"],
    ]).toEqual([
      "token is required for TokenReview in authentication",
      'tokenreviews.authentication.k8s.io is forbidden: User "jane" cannot create resource "tokenreviews" in API group "authentication.k8s.io" at the cluster scope',
    ]);
  });
});

describe("a self review", () => {
  it("says who asks, and is not for those who are nobody", () => {
    const { send } = start();
    expect(send(`${authentication}/selfsubjectreviews`, {}, peerOf("jane", ["dev"]))).toEqual({
      kind: "SelfSubjectReview",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { creationTimestamp: "2026-01-01T00:00:00Z" },
      status: {
        userInfo: {
          username: "jane",
          groups: ["dev", "system:authenticated"],
          extra: { "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^X509SHA256=/)] },
        },
      },
    });
    expect(send(`${authentication}/selfsubjectreviews`, {}, anonymousPeer)["message"]).toBe(
      'selfsubjectreviews.authentication.k8s.io is forbidden: User "system:anonymous" cannot create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope',
    );
  });
});
