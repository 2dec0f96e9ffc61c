// What checks read out of certificates, of requests for them and of keys.

import { asciiUpperCase } from "#sim/ascii.ts";
import { readCertificates } from "#x509/certificate.ts";
import { type Extension, extensionIds, readAlternativeNames } from "#x509/extensions.ts";
import { publicKeyOf, publicKeyPem, readPrivateKey } from "#x509/keys.ts";
import { attributeOf, attributesOf, type DistinguishedName } from "#x509/names.ts";
import { readRequestPem } from "#x509/request.ts";
import { bitsOf } from "#x509/rsa.ts";

const dayMs = 86_400_000;

/** Of the first certificate, request or private key in PEM, or in base64 of it as the API has it. Undefined for other texts. */
export function certificateFacts(text: string): { readonly [name: string]: unknown } | undefined {
  try {
    return factsOf(plainPem(text));
  } catch {
    // What is damaged is none.
    return undefined;
  }
}

/** Whether one certificate is signed by the other, an authority's. */
export function isSignedBy(certificate: string, authority: string): boolean {
  const [signed] = readCertificates(plainPem(certificate));
  const [signer] = readCertificates(plainPem(authority));
  return signed !== undefined && signer !== undefined && signed.isSignedBy(signer);
}

function plainPem(text: string): string {
  if (text.includes("-----BEGIN")) return text;
  try {
    return atob(text);
  } catch {
    return text;
  }
}

function factsOf(text: string): { readonly [name: string]: unknown } | undefined {
  const [certificate] = readCertificates(text);
  if (certificate !== undefined) {
    const { subject, extensions, publicKey, issuer, isAuthority, notBeforeMs, notAfterMs } = certificate;
    const days = Math.round((notAfterMs - notBeforeMs) / dayMs);
    return { kind: "certificate", ...named(subject, extensions), publicKey: publicKeyPem(publicKey), issuer, isAuthority, days };
  }
  const request = readRequestPem(text);
  if (request !== undefined) {
    const { subject, extensions, publicKey } = request;
    return { kind: "request", ...named(subject, extensions), publicKey: publicKeyPem(publicKey) };
  }
  const key = readPrivateKey(text);
  return key === undefined ? undefined : { kind: "key", bits: bitsOf(key), publicKey: publicKeyPem(publicKeyOf(key)) };
}

function named(subject: DistinguishedName, extensions: readonly Extension[]) {
  const extension = extensions.find(({ id }) => id === extensionIds.alternativeNames);
  const names = extension === undefined ? [] : readAlternativeNames(extension.value);
  return {
    commonName: attributeOf(subject, "CN"),
    organizations: attributesOf(subject, "O"),
    names: names.map(({ value }) => value),
    // As they stand in openssl's configuration: DNS:api.resort, IP:10.96.0.1.
    alternativeNames: names.map(({ kind, value }) => `${asciiUpperCase(kind)}:${value}`),
  };
}
