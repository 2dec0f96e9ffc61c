// The issuer's configuration and keys, and that tokens verify by them with a cryptography that is not ours.

import { createPublicKey, createVerify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { serviceAccounts } from "#cluster/api/kinds.ts";
import { startServer } from "../test-server.test-kit.ts";
import { anonymousPeer, exchange, exchangeAs, json, peerOf } from "./http-call.test-kit.ts";

const paths = ["/.well-known/openid-configuration", "/openid/v1/jwks"];

describe("discovery of the issuer of service accounts' tokens", () => {
  it("names issuer and keys", () => {
    const { server } = startServer();
    const [configuration, keys] = paths.map((path) => exchange(server, "GET", path));
    expect(configuration?.text).toBe(
      '{"issuer":"https://kubernetes.default.svc.cluster.local","jwks_uri":"https://172.18.0.2:6443/openid/v1/jwks","response_types_supported":["id_token"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256"]}',
    );
    expect([configuration, keys].map((reply) => [reply?.headers["content-type"], reply?.headers["cache-control"]])).toEqual([
      ["application/json", "public, max-age=3600"],
      ["application/jwk-set+json", "public, max-age=3600"],
    ]);
    expect(json(exchange(server, "GET", "/"))["paths"]).toEqual(expect.arrayContaining(paths));
  });

  it("gives keys that verify the tokens", () => {
    const { server, client } = startServer();
    client.create(serviceAccounts, { metadata: { namespace: "default", name: "builder" } });
    const path = "/api/v1/namespaces/default/serviceaccounts/builder/token";
    const { token } = json(exchange(server, "POST", path, { spec: { audiences: ["vault"] } }))["status"] as {
      readonly token: string;
    };
    const [head = "", payload = "", signature = ""] = token.split(".");
    const header = JSON.parse(Buffer.from(head, "base64url").toString()) as object;
    const { keys } = json(exchange(server, "GET", "/openid/v1/jwks")) as unknown as {
      readonly keys: readonly { readonly kid: string }[];
    };
    const [key] = keys;
    expect(header).toEqual({ alg: "RS256", kid: key?.kid });
    const verifies = (text: string) =>
      createVerify("RSA-SHA256")
        .update(text)
        .verify(createPublicKey({ key: { ...key }, format: "jwk" }), Buffer.from(signature, "base64url"));
    expect([verifies(`${head}.${payload}`), verifies(`${head}.${payload}x`)]).toEqual([true, false]);
    const spki = createPublicKey({ key: { ...key }, format: "jwk" }).export({ type: "spki", format: "der" });
    expect(Buffer.from(new Uint8Array(spki)).length).toBe(294);
  });

  it("is for service accounts, not for everybody", () => {
    const { server } = startServer();
    const status = (peer: typeof anonymousPeer) =>
      paths.map((target) => exchangeAs(peer, server, { method: "GET", target }).status);
    expect(status(anonymousPeer)).toEqual([403, 403]);
    expect(status(peerOf("system:serviceaccount:default:default", ["system:serviceaccounts"]))).toEqual([200, 200]);
  });
});
