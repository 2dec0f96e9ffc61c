// Held against Node's own cryptography (OpenSSL).

import { createPrivateKey, createPublicKey, X509Certificate as NodeCertificate, verify as nodeVerify } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "#sim/random.ts";
import { type CertificateContent, readCertificates, X509Certificate } from "./certificate.ts";
import * as der from "./der.ts";
import {
  alternativeNames,
  basicConstraints,
  extendedKeyUsage,
  extensionIds,
  keyUsage,
  readAlternativeNames,
} from "./extensions.ts";
import { privateKeyPem, publicKeyOf, publicKeyPem, readPrivateKey, traditionalKeyPem } from "./keys.ts";
import { subjectName } from "./names.ts";
import { pem, pemBlocks } from "./pem.ts";
import { createRequest, isSelfSigned, readRequestPem, requestPem } from "./request.ts";
import { bitsOf, generateKey, sign, verify } from "./rsa.ts";

const yearMs = 365 * 86_400_000;
const startMs = 1_767_225_600_000;
const authorityKey = generateKey(1024, new Random(1));
const serverKey = generateKey(1024, new Random(2));

const root: CertificateContent = {
  serial: 1n,
  subject: subjectName("kubernetes"),
  publicKey: publicKeyOf(authorityKey),
  notBeforeMs: startMs,
  notAfterMs: startMs + 10 * yearMs,
  extensions: [keyUsage(["digitalSignature", "keyEncipherment", "keyCertSign"]), basicConstraints({ isAuthority: true })],
};
const authority = { name: root.subject, publicKey: root.publicKey, key: authorityKey };
const rootCertificate = X509Certificate.issue(root, authority);
const names = [
  { kind: "dns", value: "kubernetes.default.svc" },
  { kind: "ip", value: "10.96.0.1" },
  { kind: "ip", value: "fd00::1" },
] as const;
const serverCertificate = X509Certificate.issue(
  {
    serial: 0x1234567890abcdefn,
    subject: subjectName("kube-apiserver", ["system:masters"]),
    publicKey: publicKeyOf(serverKey),
    notBeforeMs: startMs,
    notAfterMs: startMs + 40 * yearMs,
    extensions: [
      keyUsage(["digitalSignature", "keyEncipherment"]),
      extendedKeyUsage(["serverAuth"]),
      basicConstraints({ isAuthority: false }),
      alternativeNames(names),
    ],
  },
  authority,
);

describe("keys", () => {
  it("are as OpenSSL reads them, in both forms", () => {
    for (const text of [privateKeyPem(serverKey), traditionalKeyPem(serverKey)]) {
      const read = createPrivateKey(text);
      expect([read.asymmetricKeyType, read.asymmetricKeyDetails]).toEqual([
        "rsa",
        { modulusLength: 1024, publicExponent: 65_537n },
      ]);
      expect(readPrivateKey(text)).toEqual(serverKey);
    }
    const derived = createPublicKey(privateKeyPem(serverKey)).export({ type: "spki", format: "pem" });
    expect(publicKeyPem(publicKeyOf(serverKey))).toBe(derived);
  });

  it("have the size asked for, and come again from the same seed", () => {
    expect([bitsOf(authorityKey), bitsOf(serverKey), bitsOf(generateKey(1023, new Random(3)))]).toEqual([1024, 1024, 1023]);
    expect(generateKey(1024, new Random(2))).toEqual(serverKey);
  });

  it("sign what OpenSSL verifies, and nothing else", () => {
    const message = new TextEncoder().encode("the helm");
    const signature = sign(serverKey, message);
    expect(nodeVerify("sha256", message, publicKeyPem(publicKeyOf(serverKey)), signature)).toBe(true);
    expect(verify(serverKey, message, signature)).toBe(true);
    expect(verify(serverKey, new TextEncoder().encode("the Helm"), signature)).toBe(false);
    expect(verify(authorityKey, message, signature)).toBe(false);
  });
});

describe("certificates", () => {
  it("are as OpenSSL reads them", () => {
    const read = new NodeCertificate(serverCertificate.pem);
    expect({
      subject: read.subject,
      issuer: read.issuer,
      names: read.subjectAltName,
      from: read.validFromDate.getTime(),
      to: read.validToDate.getTime(),
      serial: read.serialNumber,
      usage: read.keyUsage,
      ca: read.ca,
    }).toEqual({
      subject: "O=system:masters\nCN=kube-apiserver",
      issuer: "CN=kubernetes",
      names: "DNS:kubernetes.default.svc, IP Address:10.96.0.1, IP Address:FD00:0:0:0:0:0:0:1",
      from: startMs,
      to: startMs + 40 * yearMs,
      serial: "1234567890ABCDEF",
      usage: ["1.3.6.1.5.5.7.3.1"],
      ca: false,
    });
    const issuer = new NodeCertificate(rootCertificate.pem);
    expect([read.verify(issuer.publicKey), read.checkIssued(issuer), issuer.ca]).toEqual([true, true, true]);
  });

  it("are read back as they were issued", () => {
    const [read] = readCertificates(`junk\n${serverCertificate.pem}`) as [X509Certificate];
    expect({ ...read }).toEqual({ ...serverCertificate });
    expect([read.commonName, read.organizations, read.issuer, read.alternativeNames, read.isAuthority]).toEqual([
      "kube-apiserver",
      ["system:masters"],
      "kubernetes",
      ["kubernetes.default.svc", "10.96.0.1", "fd00::1"],
      false,
    ]);
  });

  it("are valid for an address only where it stands as one", () => {
    const mixed = alternativeNames([
      { kind: "dns", value: "10.96.0.88" },
      { kind: "dns", value: "camera.panda" },
      { kind: "ip", value: "10.96.0.1" },
    ]);
    const { alternativeNames: matched, pem: text } = X509Certificate.issue({ ...root, extensions: [mixed] }, authority);
    expect(matched).toEqual(["camera.panda", "10.96.0.1"]);
    const only = X509Certificate.issue(
      { ...root, extensions: [alternativeNames([{ kind: "dns", value: "10.96.0.88" }])] },
      authority,
    );
    expect([only.alternativeNames, only.namesHosts]).toEqual([[], true]);
    const read = new NodeCertificate(text);
    expect(["10.96.0.88", "10.96.0.1"].map((address) => read.checkIP(address))).toEqual([undefined, "10.96.0.1"]);
  });

  it("are trusted for their signature, not for a name", () => {
    const [read] = readCertificates(serverCertificate.pem) as [X509Certificate];
    const otherKey = generateKey(1024, new Random(9));
    const content = { ...root, publicKey: publicKeyOf(otherKey) };
    const impostor = X509Certificate.issue(content, { name: root.subject, publicKey: content.publicKey, key: otherKey });
    expect([read.isSignedBy(rootCertificate), read.isSignedBy(impostor), read.isSignedBy(serverCertificate)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([serverCertificate.isSignedBy(rootCertificate), serverCertificate.isSignedBy(impostor)]).toEqual([true, false]);
    const [readRoot] = readCertificates(rootCertificate.pem) as [X509Certificate];
    expect(read.isSignedBy(readRoot)).toBe(true);
  });

  it("are left out where a block is none", () => {
    expect(readCertificates(pem("CERTIFICATE", Uint8Array.of(1, 2, 3)))).toEqual([]);
    expect(readCertificates("-----BEGIN CERTIFICATE-----\nnot base64!\n-----END CERTIFICATE-----\n")).toEqual([]);
  });
});

describe("requests", () => {
  const request = createRequest(subjectName("jane", ["dev"]), serverKey, [alternativeNames(names)]);

  it("carry the subject, the key and what is asked for", () => {
    const read = readRequestPem(requestPem(request));
    expect(read).toEqual(request);
    expect(read?.subject).toEqual([
      { type: "O", value: "dev" },
      { type: "CN", value: "jane" },
    ]);
    expect(read?.extensions.map(({ id, value }) => [id, readAlternativeNames(value)])).toEqual([
      [extensionIds.alternativeNames, names],
    ]);
    expect(isSelfSigned(request)).toBe(true);
  });

  it("are caught when they were changed after signing", () => {
    const bytes = Uint8Array.from(request.der);
    bytes[request.der.length - 1] = (bytes[request.der.length - 1] as number) ^ 1;
    expect(isSelfSigned(readRequestPem(pem("CERTIFICATE REQUEST", bytes)) as typeof request)).toBe(false);
  });
});

describe("encodings", () => {
  it("come back as they went, whatever they hold", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 1n << 600n }),
        fc.uint8Array({ maxLength: 70_000 }),
        fc.integer({ min: 0, max: 4_000_000_000 }),
        (number, octets, seconds) => {
          const value = der.read(der.sequence(der.integer(number), der.octetString(octets), der.time(seconds * 1000)));
          const [first, second, third] = der.sequenceOf(value);
          expect(der.readInteger(first)).toBe(number);
          expect(second?.content).toEqual(octets);
          expect(der.readTime(third)).toBe(seconds * 1000);
        },
      ),
      { numRuns: 50 },
    );
    const identifiers = ["1.2.840.113549.1.1.11", "2.5.29.17", "0.9.2342.19200300.100.1.25", "2.16.840.1.101.3.4.2.1"];
    expect(identifiers.map((id) => der.readObjectIdentifier(der.read(der.objectIdentifier(id))))).toEqual(identifiers);
  });

  it("refuse garbage with an error, never with a hang or another failure", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (garbage) => {
        expect(readCertificates(pem("CERTIFICATE", garbage))).toEqual([]);
      }),
    );
    fc.assert(
      fc.property(fc.nat({ max: serverCertificate.der.length - 1 }), fc.nat({ max: 255 }), (at, value) => {
        const bytes = Uint8Array.from(serverCertificate.der);
        bytes[at] = value;
        for (const read of readCertificates(pem("CERTIFICATE", bytes))) {
          if (bytes.some((octet, index) => octet !== serverCertificate.der[index]))
            expect(read.isSignedBy(rootCertificate)).toBe(false);
        }
      }),
    );
    expect(pemBlocks("-----BEGIN A-----\n-----END B-----")).toEqual([]);
  });
});
