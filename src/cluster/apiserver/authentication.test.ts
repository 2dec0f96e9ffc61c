import { describe, expect, it } from "vitest";
import { serviceAccounts } from "#cluster/api/kinds.ts";
import { anonymousPeer, exchange, json, peerOf } from "./http/http-call.test-kit.ts";
import { startServer } from "./test-server.test-kit.ts";

describe("who asks", () => {
  it("[API-415] is the common name and organizations of a client certificate", () => {
    const { server } = startServer();
    exchange(server, "GET", "/api/v1/pods", undefined, {}, peerOf("jane", ["dev", "ops"]));
    expect(server.audit.events().at(-1)?.user).toEqual({ name: "jane", groups: ["dev", "ops", "system:authenticated"] });
  });

  it("[API-045] is refused with a wrong token, and with an expired one", () => {
    const { client, server, simulation } = startServer();
    const key = { namespace: "kube-system", name: "robot" };
    client.create(serviceAccounts, { metadata: key });
    const reply = client.createSubresource(serviceAccounts, key, "token", { spec: { expirationSeconds: 600 } });
    const { token } = (reply as { readonly status: { readonly token: string } }).status;
    const ask = (text: string) =>
      exchange(server, "GET", "/api/v1/namespaces", undefined, { authorization: `Bearer ${text}` }, anonymousPeer).status;
    expect([ask(token), ask("nonsense")]).toEqual([200, 401]);
    simulation.advance(600_000);
    expect(ask(token)).toBe(401);
  });

  it("may act as someone else, who is then judged", () => {
    const { server } = startServer();
    const reply = exchange(server, "GET", "/api/v1/namespaces/default/pods", undefined, { "impersonate-user": "jane" });
    expect([reply.status, json(reply)["message"]]).toEqual([
      403,
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    ]);
  });
});
