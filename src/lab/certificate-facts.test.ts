import { describe, expect, it } from "vitest";
import { Random } from "#sim/random.ts";
import { X509Certificate } from "#x509/certificate.ts";
import { alternativeNames, basicConstraints } from "#x509/extensions.ts";
import { privateKeyPem, publicKeyOf, publicKeyPem } from "#x509/keys.ts";
import { subjectName } from "#x509/names.ts";
import { createRequest, requestPem } from "#x509/request.ts";
import { generateKey } from "#x509/rsa.ts";
import { certificateFacts, isSignedBy } from "./certificate-facts.ts";

const dayMs = 86_400_000;
const key = generateKey(1024, new Random(1));
const publicKey = publicKeyOf(key);
const authority = { name: subjectName("resort-ca"), publicKey, key };
const names = alternativeNames([
  { kind: "dns", value: "api.resort" },
  { kind: "ip", value: "10.96.0.1" },
]);
const root = X509Certificate.issue(
  {
    serial: 1n,
    subject: authority.name,
    publicKey,
    notBeforeMs: 0,
    notAfterMs: 10 * dayMs,
    extensions: [basicConstraints({ isAuthority: true })],
  },
  authority,
);
const otherKey = generateKey(1024, new Random(2));
const server = X509Certificate.issue(
  {
    serial: 2n,
    subject: subjectName("api", ["resort"]),
    publicKey: publicKeyOf(otherKey),
    notBeforeMs: 0,
    notAfterMs: dayMs,
    extensions: [names],
  },
  authority,
);

describe("what checks read of certificates", () => {
  it("says whose a certificate is, in PEM or as the API has it", () => {
    const facts = {
      kind: "certificate",
      commonName: "api",
      organizations: ["resort"],
      names: ["api.resort", "10.96.0.1"],
      alternativeNames: ["DNS:api.resort", "IP:10.96.0.1"],
      publicKey: publicKeyPem(publicKeyOf(otherKey)),
      issuer: "resort-ca",
      isAuthority: false,
      days: 1,
    };
    expect(certificateFacts(server.pem)).toEqual(facts);
    expect(certificateFacts(btoa(server.pem))).toEqual(facts);
    expect(certificateFacts(root.pem)).toMatchObject({ isAuthority: true, days: 10, names: [], organizations: [] });
  });

  it("says what a request asks for, and which key belongs to it", () => {
    const request = requestPem(createRequest(subjectName("kai", ["ski-school"]), otherKey, [names]));
    const wanted = publicKeyPem(publicKeyOf(otherKey));
    expect(certificateFacts(btoa(request))).toEqual({
      kind: "request",
      commonName: "kai",
      organizations: ["ski-school"],
      names: ["api.resort", "10.96.0.1"],
      alternativeNames: ["DNS:api.resort", "IP:10.96.0.1"],
      publicKey: wanted,
    });
    expect(certificateFacts(privateKeyPem(otherKey))).toEqual({ kind: "key", bits: 1024, publicKey: wanted });
  });

  it("knows who has signed", () => {
    expect([isSignedBy(server.pem, root.pem), isSignedBy(btoa(server.pem), root.pem)]).toEqual([true, true]);
    expect([isSignedBy(root.pem, server.pem), isSignedBy(server.pem, "no certificate")]).toEqual([false, false]);
  });

  it.each(["", "kind: Pod", "LS0t", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])(
    "says nothing of other texts: %j",
    (text) => {
      expect(certificateFacts(text)).toBeUndefined();
    },
  );
});
