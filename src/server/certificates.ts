// The certificates of one run: an authority, the API server's own certificate with the names it is reached by, and the
// administrator's. Unlike those inside the world these keys are Node's own, and nobody can guess them.

import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { Certificate } from "#sim/net.ts";
import { type Authority, X509Certificate } from "#x509/certificate.ts";
import { alternativeNames, basicConstraints, type Extension, extendedKeyUsage, keyUsage } from "#x509/extensions.ts";
import { publicKeyOf, readPrivateKey, traditionalKeyPem } from "#x509/keys.ts";
import { type DistinguishedName, subjectName } from "#x509/names.ts";
import type { RsaPrivateKey } from "#x509/rsa.ts";

export interface IssuedCertificate {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface DoorCertificates {
  readonly authorityPem: string;
  /** For whoever signs requests of others. */
  readonly authorityKeyPem: string;
  readonly serving: IssuedCertificate;
  readonly administrator: IssuedCertificate;
}

const dayMs = 86_400_000;
const authorityDays = 3650;
const leafDays = 365;
const leafUsages = keyUsage(["digitalSignature", "keyEncipherment"]);
const insideNames = [
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
  "10.96.0.1",
];

/** `addresses`: the names and IP addresses the server is reached by, beside those inside the cluster. */
export function makeCertificates(addresses: readonly string[], nowMs: number): DoorCertificates {
  const key = newKey();
  const authority: Authority = { name: subjectName("kubernetes"), publicKey: publicKeyOf(key), key };
  const extensions = [
    keyUsage(["digitalSignature", "keyEncipherment", "keyCertSign"]),
    basicConstraints({ isAuthority: true }),
    namesExtension(["kubernetes"]),
  ];
  const root = issue(authority, { subject: authority.name, key, days: authorityDays, extensions }, nowMs);
  const leaf = (subject: DistinguishedName, special: readonly Extension[]): IssuedCertificate => {
    const leafKey = newKey();
    const wanted = {
      subject,
      key: leafKey,
      days: leafDays,
      extensions: [leafUsages, ...special, basicConstraints({ isAuthority: false })],
    };
    return { certificatePem: issue(authority, wanted, nowMs), keyPem: traditionalKeyPem(leafKey) };
  };
  return {
    authorityPem: root,
    authorityKeyPem: traditionalKeyPem(key),
    serving: leaf(subjectName("kube-apiserver"), [
      extendedKeyUsage(["serverAuth"]),
      namesExtension([...insideNames, ...addresses]),
    ]),
    administrator: leaf(subjectName("kubernetes-admin", ["kubeadm:cluster-admins"]), [extendedKeyUsage(["clientAuth"])]),
  };
}

const standIns = new Map<string, RsaPrivateKey>();

/** The same key again for the same name: making one takes a while. */
function keyOf(name: string): RsaPrivateKey {
  const known = standIns.get(name) ?? newKey();
  standIns.set(name, known);
  return known;
}

/** A certificate that says what a simulated one says, signed by an authority with its issuer's name. */
export function standInFor(certificate: Certificate, nowMs: number): IssuedCertificate {
  const { commonName, organizations, alternativeNames: names, issuer } = certificate;
  const authorityKey = keyOf(`authority ${issuer}`);
  const authority: Authority = { name: subjectName(issuer), publicKey: publicKeyOf(authorityKey), key: authorityKey };
  const key = keyOf("server");
  const content = {
    serial: BigInt(`0x${randomBytes(8).toString("hex")}`),
    subject: subjectName(commonName, [...organizations]),
    publicKey: publicKeyOf(key),
    notBeforeMs: Math.max(certificate.notBeforeMs, nowMs - authorityDays * dayMs),
    notAfterMs: Math.min(certificate.notAfterMs, nowMs + authorityDays * dayMs),
    extensions: [leafUsages, extendedKeyUsage(["serverAuth"]), basicConstraints({ isAuthority: false }), namesExtension(names)],
  };
  return { certificatePem: X509Certificate.issue(content, authority).pem, keyPem: traditionalKeyPem(key) };
}

function newKey(): RsaPrivateKey {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return readPrivateKey(privateKey) as RsaPrivateKey;
}

interface Wanted {
  readonly subject: DistinguishedName;
  readonly key: RsaPrivateKey;
  readonly days: number;
  readonly extensions: readonly Extension[];
}

/** Valid from a day ago, for clients whose clocks are behind. */
function issue(authority: Authority, { subject, key, days, extensions }: Wanted, nowMs: number): string {
  const publicKey = key === authority.key ? authority.publicKey : publicKeyOf(key);
  const serial = BigInt(`0x${randomBytes(8).toString("hex")}`);
  const content = { serial, subject, publicKey, notBeforeMs: nowMs - dayMs, notAfterMs: nowMs + days * dayMs, extensions };
  return X509Certificate.issue(content, authority).pem;
}

function namesExtension(names: readonly string[]): Extension {
  return alternativeNames(names.map((value) => ({ kind: /^[\d.]+$|:/.test(value) ? "ip" : "dns", value })));
}
