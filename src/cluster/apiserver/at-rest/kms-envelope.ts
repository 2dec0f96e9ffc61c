// How a value of the kms provider lies in etcd (apiserver, pkg/storage/value/encrypt/envelope/kmsv2 and encrypt/aes): a protobuf message with
// the value, encrypted by a key that is derived for it alone from a seed, and with the seed as the plugin has encrypted it.

import { gcm } from "@noble/ciphers/aes.js";
import { expand } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { WireWriter, wireTypes } from "#cluster/api/protobuf/wire.ts";
import { type Bytes, concatBytes, encodeUtf8 } from "#sim/bytes.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { KmsAnnotations, KmsSecret } from "./kms-service.ts";

/** Which provider and which seed sealed a value. */
export interface EnvelopeSeal {
  readonly cipher: "kms";
  /** The provider's. */
  readonly keyName: string;
  /** The seed, 32 bytes. */
  readonly secret: Bytes;
  /** The seed as the plugin has encrypted it, and by which key. */
  readonly source: KmsSecret;
}

export const seedBytes = 32;
const infoBytes = 32;
const nonceBytes = 12;
/** HKDF_SHA256_XNONCE_AES_GCM_SEED; upstream writes no other type any more. */
const sourceType = 1;
const maxTextBytes = 1024;
const maxAnnotationBytes = 32 * 1024;

/** `place`: the value's key and revision; what is random in reality follows from it. */
export function envelope({ keyName, secret, source }: EnvelopeSeal, place: string, context: string, value: Bytes): Bytes {
  const info = sha256(encodeUtf8(`info ${place}`)).subarray(0, infoBytes);
  const nonce = sha256(encodeUtf8(place)).subarray(0, nonceBytes);
  const derived = expand(sha256, secret, info, 32);
  const data = concatBytes([info, nonce, gcm(derived, nonce, encodeUtf8(context)).encrypt(value)]);
  const message = new WireWriter();
  const field = (number: number, content: Bytes): void => {
    message.tag(number, wireTypes.bytes);
    message.bytes(content);
  };
  field(1, data);
  field(2, encodeUtf8(source.keyId));
  field(3, source.ciphertext);
  for (const [key, annotation] of sorted(source.annotations)) {
    message.message(4, () => {
      field(1, encodeUtf8(key));
      field(2, annotation);
    });
  }
  message.tag(5, wireTypes.varint);
  message.signed(sourceType);
  return concatBytes([encodeUtf8(`k8s:enc:kms:v2:${keyName}:`), message.finish()]);
}

function sorted(annotations: KmsAnnotations): readonly (readonly [string, Bytes])[] {
  return [...annotations].sort(([a], [b]) => compareTexts(a, b));
}

/** What keeps an encrypted seed from being used; undefined if nothing. */
export function sourceFault({ ciphertext, keyId, annotations }: KmsSecret): string | undefined {
  const source = "failed to validate encrypted DEK source: encrypted DEK source is";
  if (ciphertext.length === 0) return `${source} empty`;
  if (ciphertext.length > maxTextBytes)
    return `${source} ${ciphertext.length} bytes, which exceeds the max size of ${maxTextBytes}`;
  const keyFault = keyIdFault(keyId);
  if (keyFault !== undefined) return `failed to validate key id: ${keyFault}`;
  const size = [...annotations].reduce((sum, [key, value]) => sum + encodeUtf8(key).length + value.length, 0);
  if (size > maxAnnotationBytes)
    return `failed to validate annotations: total size of annotations is ${size}, which exceeds the max size of ${maxAnnotationBytes}`;
  return undefined;
}

export function keyIdFault(keyId: string): string | undefined {
  const { length } = encodeUtf8(keyId);
  if (length === 0) return "keyID is empty";
  return length > maxTextBytes ? `keyID is ${length} bytes, which exceeds the max size of ${maxTextBytes}` : undefined;
}

/** Under which a decrypted seed is kept. */
export function cacheKeyOf({ ciphertext, keyId, annotations }: KmsSecret): string {
  const texts = sorted(annotations).map(([key, value]) => `${key} ${bytesToHex(value)}`);
  return JSON.stringify([bytesToHex(ciphertext), keyId, ...texts]);
}

/** Key ids show in texts by their hash alone. */
export function hashText(text: string): string {
  return text === "" ? "" : `sha256:${bytesToHex(sha256(encodeUtf8(text)))}`;
}
