// The providers' forms of a value (apiserver's pkg/storage/value/encrypt): a prefix with provider and key, then what the cipher makes.

import { cbc, gcm } from "@noble/ciphers/aes.js";
import { xsalsa20poly1305 } from "@noble/ciphers/salsa.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type Bytes, concatBytes, encodeUtf8 } from "#sim/bytes.ts";
import { type EnvelopeSeal, envelope } from "./kms-envelope.ts";

export const cipherNames = ["aescbc", "aesgcm", "secretbox"] as const;
export type CipherName = (typeof cipherNames)[number];

interface Cipher {
  /** Lengths of keys in bytes. */
  readonly keyBytes: readonly number[];
  /** What a server says that has none of the keys a value may be of. */
  readonly noMatch: string;
  /** And what it says when its key of that name is another one. */
  readonly wrongKey: string;
  readonly nonceBytes: number;
  seal(key: Bytes, nonce: Bytes, context: Bytes, value: Bytes): Bytes;
}

const aesKeyBytes: readonly number[] = [16, 24, 32];
const noAesMatch = "no matching key was found for the provided AES transformer";

export const ciphers: { readonly [name in CipherName]: Cipher } = {
  aescbc: {
    keyBytes: aesKeyBytes,
    noMatch: noAesMatch,
    wrongKey: "invalid padding on input",
    nonceBytes: 16,
    seal: (key, nonce, _context, value) => cbc(key, nonce).encrypt(value),
  },
  aesgcm: {
    keyBytes: aesKeyBytes,
    noMatch: noAesMatch,
    wrongKey: "cipher: message authentication failed",
    nonceBytes: 12,
    seal: (key, nonce, context, value) => gcm(key, nonce, context).encrypt(value),
  },
  secretbox: {
    keyBytes: [32],
    noMatch: "no matching key was found for the provided Secretbox transformer",
    wrongKey: "output array was not large enough for encryption",
    nonceBytes: 24,
    seal: (key, nonce, _context, value) => xsalsa20poly1305(key, nonce).encrypt(value),
  },
};

/** Which key of the configuration sealed a value. */
export interface KeySeal {
  readonly cipher: CipherName;
  readonly keyName: string;
  readonly secret: Bytes;
}

/** Which key, of the configuration or of a plugin, sealed a value. */
export type Seal = KeySeal | EnvelopeSeal;

/** `place`: the value's key and revision; its nonce follows from it, for a world has no chance that is not its own. */
export function sealed(by: Seal, place: string, context: string, value: Bytes): Bytes {
  if (by.cipher === "kms") return envelope(by, place, context, value);
  const { cipher, keyName, secret } = by;
  const { nonceBytes, seal } = ciphers[cipher];
  const nonce = sha256(encodeUtf8(place)).subarray(0, nonceBytes);
  return concatBytes([encodeUtf8(`k8s:enc:${cipher}:v1:${keyName}:`), nonce, seal(secret, nonce, encodeUtf8(context), value)]);
}
