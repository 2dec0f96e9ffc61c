// What a certificate may be used for, by the words of the certificates API, which cfssl had first: as extensions of the certificate.

import { type ExtendedUsage, type Extension, extendedKeyUsage, type KeyUsage, keyUsage, keyUsageNames } from "./extensions.ts";

const keyUsages: { readonly [usage: string]: KeyUsage } = {
  signing: "digitalSignature",
  "digital signature": "digitalSignature",
  "content commitment": "nonRepudiation",
  "key encipherment": "keyEncipherment",
  "key agreement": "keyAgreement",
  "data encipherment": "dataEncipherment",
  "cert sign": "keyCertSign",
  "crl sign": "cRLSign",
  "encipher only": "encipherOnly",
  "decipher only": "decipherOnly",
};
const extendedUsages: { readonly [usage: string]: ExtendedUsage } = {
  "server auth": "serverAuth",
  "client auth": "clientAuth",
  "code signing": "codeSigning",
  "email protection": "emailProtection",
  "s/mime": "emailProtection",
  timestamping: "timeStamping",
  "ocsp signing": "OCSPSigning",
};

export function isUsage(word: string): boolean {
  return Object.hasOwn(keyUsages, word) || Object.hasOwn(extendedUsages, word);
}

/** Words that are none are left out; a kind of which there is none makes no extension. */
export function usageExtensions(words: readonly string[]): readonly Extension[] {
  const simple = keyUsageNames.filter((name) => words.some((word) => keyUsages[word] === name));
  const extended = [...new Set(words.map((word) => extendedUsages[word]))].filter((usage) => usage !== undefined);
  return [...(simple.length === 0 ? [] : [keyUsage(simple)]), ...(extended.length === 0 ? [] : [extendedKeyUsage(extended)])];
}
