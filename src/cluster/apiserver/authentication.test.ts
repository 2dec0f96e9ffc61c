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
