// How a MySQL client proves that it knows a password without sending it: mysql_native_password (SHA-1) and the fast path of
// caching_sha2_password (SHA-256).

import { sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { type Bytes, concatBytes, encodeUtf8 } from "#sim/bytes.ts";

export type AuthPlugin = "mysql_native_password" | "caching_sha2_password";

const empty = new Uint8Array(0);

function xor(left: Bytes, right: Bytes): Bytes {
  return left.map((byte, index) => byte ^ (right[index] as number));
}

function hashOf(plugin: AuthPlugin): (bytes: Bytes) => Bytes {
  return plugin === "mysql_native_password" ? sha1 : sha256;
}

function mask(plugin: AuthPlugin, stored: Bytes, nonce: Bytes): Bytes {
  const parts = plugin === "mysql_native_password" ? [nonce, stored] : [stored, nonce];
  return hashOf(plugin)(concatBytes(parts));
}

/** What the client sends for a password and the server's nonce. */
export function scramble(plugin: AuthPlugin, password: string, nonce: Bytes): Bytes {
  if (password === "") return empty;
  const hash = hashOf(plugin);
  const once = hash(encodeUtf8(password));
  return xor(once, mask(plugin, hash(once), nonce));
}

/** What the server keeps: the hash of the hash, in hexadecimal; "" for no password. */
export function storedForm(plugin: AuthPlugin, password: string): string {
  const hash = hashOf(plugin);
  return password === "" ? "" : bytesToHex(hash(hash(encodeUtf8(password))));
}

export function proves(plugin: AuthPlugin, stored: string, nonce: Bytes, proof: Bytes): boolean {
  if (stored === "" || proof.length === 0) return stored === "" && proof.length === 0;
  const kept = Uint8Array.from(stored.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  if (proof.length !== kept.length) return false;
  return bytesToHex(hashOf(plugin)(xor(proof, mask(plugin, kept, nonce)))) === stored;
}
