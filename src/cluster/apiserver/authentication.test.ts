import { describe, expect, it } from "vitest";
import { namespaces, pods, secrets, serviceAccounts } from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { anonymousPeer, exchange, exchangeAs, json, peerOf } from "./http/http-call.test-kit.ts";
import type { ApiServer } from "./server.ts";
import { refusalOf, startServer } from "./test-server.test-kit.ts";

const robot = { namespace: "kube-system", name: "robot" };

function tokenOf(client: Client, spec: JsonValue = {}, account = robot): string {
  const reply = client.createSubresource(serviceAccounts, account, "token", { spec });
  return (reply as { readonly status: { readonly token: string } }).status.token;
}

function ask(server: ApiServer, token: string, path = "/api"): number {
  return exchangeAs(anonymousPeer, server, { method: "GET", target: path, headers: { authorization: `Bearer ${token}` } }).status;
}

function whoIs(server: ApiServer, token: string): JsonValue {
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const reply = json(
    exchangeAs(anonymousPeer, server, { method: "POST", target: path, body, headers: { authorization: `Bearer ${token}` } }),
  );
  return (reply["status"] as { readonly userInfo: JsonValue } | undefined)?.userInfo ?? (reply["reason"] as JsonValue);
}

describe("who asks", () => {
  it("[API-415] is the common name and organizations of a client certificate", () => {
    const { server } = startServer();
    exchangeAs(peerOf("jane", ["dev", "ops"]), server, { method: "GET", target: "/api/v1/pods" });
    expect(server.audit.events().at(-1)?.user).toEqual({
      name: "jane",
      groups: ["dev", "ops", "system:authenticated"],
      extra: { "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] },
    });
  });

  it("[API-045] is refused with a wrong token, and with one that expired a minute ago", () => {
    const { client, server, simulation } = startServer();
    client.create(serviceAccounts, { metadata: robot });
    const token = tokenOf(client, { expirationSeconds: 600 });
    const refused = exchangeAs(anonymousPeer, server, {
      method: "GET",
      target: "/api",
      headers: { authorization: "Bearer nonsense" },
    });
    expect([ask(server, token), refused.status, json(refused)]).toEqual([
      200,
      401,
      {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: "Unauthorized",
        reason: "Unauthorized",
        code: 401,
      },
    ]);
    simulation.advance(660_000);
    expect(ask(server, token)).toBe(200);
    simulation.advance(1_000);
    expect(ask(server, token)).toBe(401);
  });

  it("[API-392] basic authentication is no authentication: the request is anonymous", () => {
    const { server } = startServer();
    const status = (target: string, authorization: string): number =>
      exchangeAs(anonymousPeer, server, { method: "GET", target, headers: { authorization } }).status;
    expect([status("/version", "Basic YTpi"), status("/api/v1/pods", "Basic YTpi")]).toEqual([200, 403]);
    expect([status("/version", "Bearer"), status("/version", "Bearer wrong")]).toEqual([200, 401]);
  });
});

describe("a service account's token", () => {
  it("[NET-408] is a JWT with the account, its audience and its time", () => {
    const { client } = startServer();
    const account = client.create(serviceAccounts, { metadata: robot });
    const token = tokenOf(client);
    expect(JSON.parse(atob((token.split(".")[1] as string).replaceAll("-", "+").replaceAll("_", "/")))).toEqual({
      aud: ["https://kubernetes.default.svc.cluster.local"],
      exp: 1_767_229_200,
      iat: 1_767_225_600,
      iss: "https://kubernetes.default.svc.cluster.local",
      jti: expect.any(String),
      "kubernetes.io": { namespace: "kube-system", serviceaccount: { name: "robot", uid: account.metadata.uid } },
      nbf: 1_767_225_600,
      sub: "system:serviceaccount:kube-system:robot",
    });
  });

  it("[NET-408] tells the pod and the node that it is bound to", () => {
    const { client, server } = startServer();
    const account = client.create(serviceAccounts, { metadata: robot });
    const pod = client.create(pods, {
      metadata: { name: "web", namespace: robot.namespace },
      spec: { nodeName: "node-1", serviceAccountName: "robot", containers: [{ name: "web", image: "nginx" }] },
    });
    const token = tokenOf(client, { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "web" } });
    expect(whoIs(server, token)).toEqual({
      username: "system:serviceaccount:kube-system:robot",
      uid: account.metadata.uid,
      groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
      extra: {
        "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^JTI=/)],
        "authentication.kubernetes.io/node-name": ["node-1"],
        "authentication.kubernetes.io/node-uid": [""],
        "authentication.kubernetes.io/pod-name": ["web"],
        "authentication.kubernetes.io/pod-uid": [pod.metadata.uid],
      },
    });
  });

  it.each([
    ["pod", pods, { kind: "Pod", name: "bound" }],
    ["secret", secrets, { kind: "Secret", name: "bound" }],
  ] as const)("[NET-409] is refused when its %s is gone", (_what, type, reference) => {
    const { client, server } = startServer();
    client.create(serviceAccounts, { metadata: robot });
    const metadata = { name: "bound", namespace: robot.namespace };
    const spec = { serviceAccountName: "robot", containers: [{ name: "web", image: "nginx" }] };
    if (type === pods) client.create(pods, { metadata, spec });
    else client.create(secrets, { metadata });
    const token = tokenOf(client, { boundObjectRef: { apiVersion: "v1", ...reference } });
    expect(ask(server, token)).toBe(200);
    client.delete<unknown>(type, { namespace: robot.namespace, name: "bound" }, { gracePeriodSeconds: 0 });
    expect(ask(server, token)).toBe(401);
  });

  it("is refused when its account was made anew", () => {
    const { client, server } = startServer();
    client.create(serviceAccounts, { metadata: robot });
    const token = tokenOf(client);
    client.delete(serviceAccounts, robot);
    client.create(serviceAccounts, { metadata: robot });
    expect(ask(server, token)).toBe(401);
  });

  it.each([
    [
      { expirationSeconds: 599 },
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    [
      { expirationSeconds: 4_294_967_297 },
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
    [{ boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "none" } }, 'pods "none" not found'],
    [
      { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "other" } },
      'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
    ],
    [
      { boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "secret", uid: "abc" } },
      'Operation cannot be fulfilled on Secret "secret": the UID in the bound object reference (abc) does not match the UID in record. The object might have been deleted and then recreated',
    ],
    [
      { boundObjectRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } },
      "cannot bind token to object of type apps/v1, Kind=Deployment",
    ],
  ])("[NET-408] is not made of %j", (spec, message) => {
    const { client } = startServer();
    client.create(serviceAccounts, { metadata: robot });
    client.create(secrets, { metadata: { name: "secret", namespace: robot.namespace } });
    client.create(pods, {
      metadata: { name: "other", namespace: robot.namespace },
      spec: { serviceAccountName: "another", containers: [{ name: "web", image: "nginx" }] },
    });
    expect(refusalOf(() => tokenOf(client, spec))).toBe(message);
  });
});

describe("a server that limits tokens", () => {
  it("[NET-296] shortens what is asked for, and says so", () => {
    const { client, server } = startServer({ maxTokenExpirationSeconds: 7200 });
    client.create(serviceAccounts, { metadata: robot });
    const path = "/api/v1/namespaces/kube-system/serviceaccounts/robot/token";
    const reply = exchange(server, "POST", path, { spec: { expirationSeconds: 9000 } });
    expect([reply.headers["warning"], json(reply)["spec"]]).toMatchObject([
      '299 - "requested expiration of 9000 seconds shortened to 7200 seconds"',
      { expirationSeconds: 7200 },
    ]);
  });
});

describe("a bootstrap token", () => {
  const values = {
    "token-id": "abcdef",
    "token-secret": "0123456789abcdef",
    "usage-bootstrap-authentication": "true",
    "auth-extra-groups": "system:bootstrappers:kubeadm:default-node-token",
  };
  const user = {
    username: "system:bootstrap:abcdef",
    groups: ["system:bootstrappers", "system:bootstrappers:kubeadm:default-node-token", "system:authenticated"],
  };

  it.each([
    ["as it should be", {}, user],
    ["not expired", { expiration: "2026-01-01T00:00:01Z" }, user],
    ["expired", { expiration: "2026-01-01T00:00:00Z" }, "Unauthorized"],
    ["with an expiration that is no time", { expiration: "soon" }, "Unauthorized"],
    ["of another id", { "token-id": "aaaaaa" }, "Unauthorized"],
    ["of another secret", { "token-secret": "fedcba9876543210" }, "Unauthorized"],
    ["not for authentication", { "usage-bootstrap-authentication": "yes" }, "Unauthorized"],
    ["with a group of another kind", { "auth-extra-groups": "system:masters" }, "Unauthorized"],
  ])("[NET-410] %s", (_case, change, expected) => {
    const { client, server } = startServer();
    client.create(secrets, {
      metadata: { name: "bootstrap-token-abcdef", namespace: "kube-system" },
      type: "bootstrap.kubernetes.io/token",
      stringData: { ...values, ...change },
    });
    expect(whoIs(server, "abcdef.0123456789abcdef")).toEqual(expected);
  });

  it("[NET-410] counts only in kube-system", () => {
    const { client, server } = startServer();
    client.create(namespaces, { metadata: { name: "team" } });
    client.create(secrets, {
      metadata: { name: "bootstrap-token-abcdef", namespace: "team" },
      type: "bootstrap.kubernetes.io/token",
      stringData: values,
    });
    expect(whoIs(server, "abcdef.0123456789abcdef")).toBe("Unauthorized");
  });
});
