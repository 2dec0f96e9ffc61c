// The certificates of one run: an authority, the API server's own certificate with the names it is reached by, and the
// administrator's. Keys are 2048-bit RSA, as kubeadm makes them.

import { generateKeyPairSync, randomBytes } from "node:crypto";
import forge from "node-forge";

export interface IssuedCertificate {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface DoorCertificates {
  readonly authorityPem: string;
  readonly serving: IssuedCertificate;
  readonly administrator: IssuedCertificate;
}

type Subject = readonly { readonly shortName: string; readonly value: string }[];

interface Authority extends IssuedCertificate {
  readonly subject: Subject;
}

const dayMs = 86_400_000;
const authorityDays = 3650;
const leafDays = 365;

/** `addresses`: the names and IP addresses the server is reached by, beside those inside the cluster. */
export function makeCertificates(addresses: readonly string[], nowMs: number): DoorCertificates {
  const subject = subjectOf("kubernetes");
  const authority: Authority = {
    subject,
    ...issue(subject, undefined, authorityDays, nowMs, [
      { name: "basicConstraints", critical: true, cA: true },
      { name: "keyUsage", critical: true, digitalSignature: true, keyEncipherment: true, keyCertSign: true },
      { name: "subjectAltName", altNames: alternativeNames(["kubernetes"]) },
    ]),
  };
  const inside = [
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
    "10.96.0.1",
  ];
  return {
    authorityPem: authority.certificatePem,
    serving: issue(subjectOf("kube-apiserver"), authority, leafDays, nowMs, [
      ...leafExtensions("serverAuth"),
      { name: "subjectAltName", altNames: alternativeNames([...inside, ...addresses]) },
    ]),
    administrator: issue(
      subjectOf("kubernetes-admin", "kubeadm:cluster-admins"),
      authority,
      leafDays,
      nowMs,
      leafExtensions("clientAuth"),
    ),
  };
}

function subjectOf(commonName: string, ...organizations: readonly string[]): Subject {
  return [...organizations.map((value) => ({ shortName: "O", value })), { shortName: "CN", value: commonName }];
}

function leafExtensions(usage: "serverAuth" | "clientAuth"): readonly object[] {
  return [
    { name: "basicConstraints", critical: true, cA: false },
    { name: "keyUsage", critical: true, digitalSignature: true, keyEncipherment: true },
    { name: "extKeyUsage", [usage]: true },
  ];
}

/** Types of GeneralName: 2 is a DNS name, 7 an address. */
function alternativeNames(names: readonly string[]): readonly object[] {
  return names.map((name) => (/^[\d.]+$|:/.test(name) ? { type: 7, ip: name } : { type: 2, value: name }));
}

/** Without an issuer the certificate signs itself. */
function issue(
  subject: Subject,
  issuer: Authority | undefined,
  days: number,
  nowMs: number,
  extensions: readonly object[],
): IssuedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = `00${randomBytes(8).toString("hex")}`;
  certificate.validity.notBefore = new Date(nowMs - dayMs);
  certificate.validity.notAfter = new Date(nowMs + days * dayMs);
  certificate.setSubject([...subject]);
  certificate.setIssuer([...(issuer?.subject ?? subject)]);
  certificate.setExtensions([...extensions]);
  certificate.sign(forge.pki.privateKeyFromPem(issuer?.keyPem ?? privateKey), forge.md.sha256.create());
  return { certificatePem: pem(forge.pki.certificateToPem(certificate)), keyPem: privateKey };
}

function pem(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
