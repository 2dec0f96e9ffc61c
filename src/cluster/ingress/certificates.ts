// Certificates of the controller: one of its own, and those in Secrets of the type kubernetes.io/tls.

import { decodeBase64 } from "#sim/base64.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import type { Certificate } from "#sim/net.ts";
import { readCertificates } from "#x509/certificate.ts";
import { keyPairFault } from "#x509/key-pair.ts";
import type { Secret } from "../api/generated/types.ts";
import type { Stored } from "../api/objects.ts";

const yearMs = 365 * 86_400_000;

/** What is shown where nothing better is there; nobody has signed it but itself. */
export function fakeCertificate(nowMs: number): Certificate {
  const commonName = "Kubernetes Ingress Controller Fake Certificate";
  return {
    commonName,
    organizations: ["Acme Co"],
    alternativeNames: ["ingress.local"],
    issuer: commonName,
    notBeforeMs: nowMs,
    notAfterMs: nowMs + yearMs,
  };
}

/** What is wrong with a Secret as a server's certificate, or the certificate. */
export function certificateOf(secret: Stored<Secret>): Certificate | { readonly fault: string } {
  const key = JSON.stringify(`${secret.metadata.namespace ?? ""}/${secret.metadata.name}`);
  const { "tls.crt": chain, "tls.key": privateKey } = secret.data ?? {};
  if (chain === undefined && privateKey === undefined) return { fault: `secret ${key} contains no keypair or CA certificate` };
  if (chain === undefined) return { fault: `key 'tls.crt' missing from Secret ${key}` };
  if (privateKey === undefined) return { fault: `key 'tls.key' missing from Secret ${key}` };
  const [chainText, keyText] = [textOf(chain), textOf(privateKey)];
  const [certificate] = readCertificates(chainText);
  if (certificate === undefined) return { fault: "unexpected error creating SSL Cert: no valid PEM formatted block found" };
  const fault = keyPairFault(chainText, keyText);
  if (fault === undefined) return certificate;
  return { fault: `unexpected error creating SSL Cert: certificate and private key does not have a matching public key: ${fault}` };
}

function textOf(base64: string): string {
  return decodeUtf8(decodeBase64(base64).bytes);
}

/** `*.foo.com` for `bar.foo.com`: a wildcard stands for one label. */
export function wildcardOf(host: string): string {
  return host.replace(/^[^.]+\./, "*.");
}

/** Why a certificate is not good for a host, in Go's words (x509.Certificate.VerifyHostname). */
export function hostFault({ alternativeNames: names, commonName }: Certificate, host: string): string | undefined {
  if (names.includes(host) || names.includes(wildcardOf(host))) return undefined;
  if (names.length > 0) return `x509: certificate is valid for ${names.join(", ")}, not ${host}`;
  if (commonName === "") return `x509: certificate is not valid for any names, but wanted to match ${host}`;
  return "x509: certificate relies on legacy Common Name field, use SANs instead";
}

/** Whether it is good for the host by what controllers still look at: the name of its subject. */
export function isNamedAfter({ alternativeNames: names, commonName }: Certificate, host: string): boolean {
  return names.length === 0 && (commonName === host || commonName === wildcardOf(host));
}
