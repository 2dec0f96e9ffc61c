import { describe, expect, it } from "vitest";
import { configMaps, secrets } from "#cluster/api/kinds.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { bootstrapSigner } from "./bootstrap-signer.ts";
import { detachedSignature } from "./detached-signature.ts";
import { tokenCleaner } from "./token-cleaner.ts";

const info = { namespace: "kube-public", name: "cluster-info" };
const key = { namespace: "kube-system", name: "bootstrap-token-abcdef" };

function start() {
  const definitions = [bootstrapSigner, tokenCleaner].map((definition) => ({ ...definition, isOffByDefault: false }));
  const plane = startControlPlane({ definitions, nodes: [] });
  plane.client.create(configMaps, { metadata: info, data: { kubeconfig: "kind: Config\n" } });
  const createToken = (change: { readonly [key: string]: string } = {}) =>
    plane.client.create(secrets, {
      metadata: key,
      type: "bootstrap.kubernetes.io/token",
      stringData: { "token-id": "abcdef", "token-secret": "0123456789abcdef", "usage-bootstrap-signing": "true", ...change },
    });
  const infoKeys = (): readonly string[] => Object.keys(plane.client.get(configMaps, info).data ?? {});
  return { ...plane, createToken, infoKeys };
}

describe("the bootstrap signer", () => {
  it("[NET-411] keeps a signature for each token that may sign, and none of those that are gone", () => {
    const { client, settle, createToken, infoKeys } = start();
    settle();
    const keys = [infoKeys()];
    createToken();
    settle();
    keys.push(infoKeys());
    expect(client.get(configMaps, info).data?.["jws-kubeconfig-abcdef"]).toBe(
      detachedSignature("kind: Config\n", "abcdef", "0123456789abcdef"),
    );
    client.delete(secrets, key);
    settle();
    expect([...keys, infoKeys()]).toEqual([["kubeconfig"], ["kubeconfig", "jws-kubeconfig-abcdef"], ["kubeconfig"]]);
  });

  it.each([
    { "usage-bootstrap-signing": "false" },
    { "token-id": "ghijkl" },
    { "token-secret": "" },
    { expiration: "2025-01-01T00:00:00Z" },
  ])("[NET-411] does not sign with a token of %j", (change) => {
    const { settle, createToken, infoKeys } = start();
    createToken(change);
    settle();
    expect(infoKeys()).toEqual(["kubeconfig"]);
  });

  it("signs as upstream signs the same text", () => {
    const text = "Hello from the other side. I must have called a thousand times.";
    expect(detachedSignature(text, "joshua", "my voice is my passcode")).toBe(
      "eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8",
    );
  });
});

describe("the token cleaner", () => {
  it("[NET-411] deletes a token when its time is up", () => {
    const { client, simulation, settle, createToken } = start();
    createToken({ expiration: "2026-01-01T01:00:00Z" });
    settle();
    const names = (): readonly string[] => client.list(secrets).items.map(({ metadata }) => metadata.name);
    const before = names();
    simulation.advance(3_601_000);
    expect([before, names()]).toEqual([[key.name], []]);
  });

  it("[NET-411] deletes one whose time cannot be read, and leaves one that has none", () => {
    const { client, settle, createToken } = start();
    createToken({ expiration: "tomorrow" });
    settle();
    const left = client.list(secrets).items.length;
    createToken();
    settle();
    expect([left, client.list(secrets).items.length]).toEqual([0, 1]);
  });
});
