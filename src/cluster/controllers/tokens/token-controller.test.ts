import { describe, expect, it } from "vitest";
import { secrets, serviceAccounts } from "#cluster/api/kinds.ts";
import { anonymousPeer, exchangeAs } from "#cluster/apiserver/http/http-call.test-kit.ts";
import { startControlPlane, type TestControlPlane } from "../control-plane.test-kit.ts";

const account = { namespace: "default", name: "robot" };
const key = { namespace: "default", name: "robot-token" };

function withSecret(): TestControlPlane {
  const plane = startControlPlane();
  plane.client.create(serviceAccounts, { metadata: account });
  plane.client.create(secrets, {
    metadata: { ...key, annotations: { "kubernetes.io/service-account.name": "robot" } },
    type: "kubernetes.io/service-account-token",
  });
  plane.settle();
  return plane;
}

function ask({ server }: TestControlPlane, token: string): number {
  return exchangeAs(anonymousPeer, server, { method: "GET", target: "/api", headers: { authorization: `Bearer ${token}` } }).status;
}

function decoded(plane: TestControlPlane, name: string): string {
  return atob(plane.client.get(secrets, key).data?.[name] ?? "");
}

describe("the token controller", () => {
  it("[NET-404] fills a Secret with a token of the account that has no end", () => {
    const plane = withSecret();
    const { metadata, data } = plane.client.get(secrets, key);
    const uid = plane.client.get(serviceAccounts, account).metadata.uid;
    const [, payload = ""] = decoded(plane, "token").split(".");
    expect([Object.keys(data ?? {}), decoded(plane, "namespace"), metadata.annotations, JSON.parse(atob(payload))]).toEqual([
      ["namespace", "token"],
      "default",
      { "kubernetes.io/service-account.name": "robot", "kubernetes.io/service-account.uid": uid },
      {
        iss: "kubernetes/serviceaccount",
        "kubernetes.io/serviceaccount/namespace": "default",
        "kubernetes.io/serviceaccount/secret.name": "robot-token",
        "kubernetes.io/serviceaccount/service-account.name": "robot",
        "kubernetes.io/serviceaccount/service-account.uid": uid,
        sub: "system:serviceaccount:default:robot",
      },
    ]);
  });

  it("[NET-407] the day of its last use is written on the Secret", () => {
    const plane = withSecret();
    expect(ask(plane, decoded(plane, "token"))).toBe(200);
    expect(plane.client.get(secrets, key).metadata.labels).toEqual({ "kubernetes.io/legacy-token-last-used": "2026-01-01" });
  });

  it("[NET-405] [NET-404] takes the Secret away with its account, and with it the token", () => {
    const plane = withSecret();
    const token = decoded(plane, "token");
    plane.client.delete(serviceAccounts, account);
    plane.settle();
    expect([plane.client.list(secrets, { namespace: "default" }).items, ask(plane, token)]).toEqual([[], 401]);
  });

  it("[NET-404] deletes a Secret of an account that is not there", () => {
    const plane = startControlPlane();
    plane.client.create(secrets, {
      metadata: { ...key, annotations: { "kubernetes.io/service-account.name": "nobody" } },
      type: "kubernetes.io/service-account-token",
    });
    plane.settle();
    expect(plane.client.list(secrets, { namespace: "default" }).items).toEqual([]);
  });

  it("[API-004] [NET-406] makes no Secret for an account", () => {
    const plane = startControlPlane();
    plane.client.create(serviceAccounts, { metadata: account });
    plane.settle();
    expect([plane.client.list(secrets).items, plane.client.get(serviceAccounts, account).secrets]).toEqual([[], undefined]);
  });
});

describe("controllers", () => {
  it("[API-278] act as accounts of their own in kube-system", () => {
    const { server, settle } = startControlPlane();
    settle();
    const users = new Set(server.audit.events().map(({ user }) => user.name));
    expect([...users].filter((name) => name.startsWith("system:serviceaccount:kube-system:")).sort()).toEqual([
      "system:serviceaccount:kube-system:clusterrole-aggregation-controller",
      "system:serviceaccount:kube-system:root-ca-cert-publisher",
      "system:serviceaccount:kube-system:service-account-controller",
      "system:serviceaccount:kube-system:service-cidrs-controller",
    ]);
  });
});
