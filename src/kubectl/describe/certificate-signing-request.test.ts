import { expect, it } from "vitest";
import { certificateSigningRequests } from "#cluster/api/kinds.ts";
import { Random } from "#sim/random.ts";
import { alternativeNames } from "#x509/extensions.ts";
import { createRequest, requestPem } from "#x509/request.ts";
import { generateKey } from "#x509/rsa.ts";
import { kubectlWorld } from "../kubectl.test-kit.ts";

it("describes a CertificateSigningRequest with what is in the request", () => {
  const world = kubectlWorld();
  const subject = [
    { type: "C", value: "DE" },
    { type: "O", value: "dev" },
    { type: "O", value: "ops" },
    { type: "CN", value: "web" },
    { type: "serialNumber", value: "42" },
  ];
  const names = alternativeNames([
    { kind: "ip", value: "10.0.0.7" },
    { kind: "dns", value: "web.example.com" },
    { kind: "uri", value: "spiffe://example.com/web" },
    { kind: "dns", value: "web" },
    { kind: "email", value: "a@example.com" },
  ]);
  world.client.create(certificateSigningRequests, {
    metadata: { name: "web", labels: { team: "web", app: "shop" }, annotations: { b: "two", a: "one" } },
    spec: {
      request: btoa(requestPem(createRequest(subject, generateKey(1024, new Random(1)), [names]))),
      signerName: "example.com/own",
      usages: ["server auth"],
      expirationSeconds: 86_400,
    },
  });
  // As kubectl v1.36.3 against the same server: the last list is as far to the right as the events below it.
  expect(world.run("describe csr web").stdout).toBe(`Name:                web
Labels:              app=shop,team=web
Annotations:         a=one,b=two
CreationTimestamp:   Thu, 01 Jan 2026 00:00:00 +0000
Requesting User:     kubernetes-admin
Signer:              example.com/own
Requested Duration:  24h
Status:              Pending
Subject:
  Common Name:    web
  Serial Number:  42
  Organization:   dev
                  ops
  Country:        DE
Subject Alternative Names:
         DNS Names:        web.example.com
                           web
         Email Addresses:  a@example.com
         URIs:             spiffe://example.com/web
         IP Addresses:     10.0.0.7
Events:  <none>
`);
});
