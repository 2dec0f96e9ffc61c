// Public and private keys in their files: PKCS #1, PKCS #8 and SubjectPublicKeyInfo.

import { sha1 } from "@noble/hashes/legacy.js";
import type { Bytes } from "#sim/bytes.ts";
import {
  bitString,
  type DerValue,
  expect,
  integer,
  nothing,
  objectIdentifier,
  octetString,
  read,
  readBitString,
  readInteger,
  readObjectIdentifier,
  sequence,
  sequenceOf,
  tags,
} from "./der.ts";
import { pem, pemBlocks } from "./pem.ts";
import { inverse, privateKeyOf, type RsaPrivateKey, type RsaPublicKey } from "./rsa.ts";

export const rsaEncryption = "1.2.840.113549.1.1.1";

/** A public key as certificates carry it. Keys of other algorithms than RSA pass through unread. */
export interface PublicKey {
  /** SubjectPublicKeyInfo. */
  readonly der: Bytes;
  readonly algorithm: string;
  readonly rsa: RsaPublicKey | undefined;
  /** SHA-1 of the key's bits: its identifier in certificates (RFC 5280, 4.2.1.2). */
  readonly id: Bytes;
}

export function publicKeyOf(key: RsaPublicKey): PublicKey {
  const bits = sequence(integer(key.modulus), integer(key.exponent));
  const der = sequence(sequence(objectIdentifier(rsaEncryption), nothing), bitString(bits));
  return { der, algorithm: rsaEncryption, rsa: { modulus: key.modulus, exponent: key.exponent }, id: sha1(bits) };
}

export function isKeyPair(publicKey: PublicKey, { modulus, exponent }: RsaPrivateKey): boolean {
  return publicKey.rsa?.modulus === modulus && publicKey.rsa.exponent === exponent;
}

export function readPublicKey(value: DerValue | undefined): PublicKey {
  const [algorithm, bits] = sequenceOf(value);
  const identifier = readObjectIdentifier(sequenceOf(algorithm)[0]);
  const content = readBitString(bits);
  const rsa = identifier === rsaEncryption ? readRsaPublicKey(content) : undefined;
  return { der: (value as DerValue).whole, algorithm: identifier, rsa, id: sha1(content) };
}

export function publicKeyPem(key: PublicKey): string {
  return pem("PUBLIC KEY", key.der);
}

/** PKCS #1, as kubeadm and older OpenSSL write it. */
export function traditionalKeyPem(key: RsaPrivateKey): string {
  return pem("RSA PRIVATE KEY", traditionalKey(key));
}

/** PKCS #8, as OpenSSL 3 writes it. */
export function privateKeyPem(key: RsaPrivateKey): string {
  return pem(
    "PRIVATE KEY",
    sequence(integer(0), sequence(objectIdentifier(rsaEncryption), nothing), octetString(traditionalKey(key))),
  );
}

/** The first RSA private key of a text; undefined when there is none. Throws DerError for a broken one. */
export function readPrivateKey(text: string): RsaPrivateKey | undefined {
  for (const { label, bytes } of pemBlocks(text)) {
    if (label === "RSA PRIVATE KEY") return readTraditionalKey(read(bytes));
    if (label === "PRIVATE KEY") return readTraditionalKey(read(expect(sequenceOf(read(bytes))[2], tags.octetString).content));
  }
  return undefined;
}

/** The first public key of a text. */
export function readPublicKeyPem(text: string): PublicKey | undefined {
  const block = pemBlocks(text).find(({ label }) => label === "PUBLIC KEY");
  return block === undefined ? undefined : readPublicKey(read(block.bytes));
}

function traditionalKey(key: RsaPrivateKey): Bytes {
  const [p, q] = key.primes;
  const numbers = [0n, key.modulus, key.exponent, key.secret, p, q, key.secret % (p - 1n), key.secret % (q - 1n), inverse(q, p)];
  return sequence(...numbers.map((number) => integer(number)));
}

function readTraditionalKey(value: DerValue): RsaPrivateKey {
  const numbers = sequenceOf(value).map(readInteger);
  const [p, q] = [numbers[4], numbers[5]];
  if (p === undefined || q === undefined) throw new RangeError("a private key has two primes");
  return privateKeyOf(p, q);
}

function readRsaPublicKey(content: Bytes): RsaPublicKey {
  const [modulus, exponent] = sequenceOf(read(content)).map(readInteger);
  return { modulus: modulus ?? 0n, exponent: exponent ?? 0n };
}
