// A JWS of HS256 without its payload, `header..signature`: whoever holds the token and the text can check it
// (k8s.io/cluster-bootstrap/token/jws).

import { sha256 } from "#shell/commands/digest.ts";
import { encodeUtf8 } from "#sim/bytes.ts";

const blockBytes = 64;

export function detachedSignature(content: string, tokenId: string, tokenSecret: string): string {
  const header = base64Url(encodeUtf8(JSON.stringify({ alg: "HS256", kid: tokenId })));
  const payload = base64Url(encodeUtf8(content));
  return `${header}..${base64Url(hmac(encodeUtf8(tokenSecret), encodeUtf8(`${header}.${payload}`)))}`;
}

/** HMAC with SHA-256; keys here are shorter than a block. */
function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = (pad: number): Uint8Array => Uint8Array.from({ length: blockBytes }, (_, index) => (key[index] ?? 0) ^ pad);
  return digest(joined(padded(0x5c), digest(joined(padded(0x36), message))));
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(left.length + right.length);
  bytes.set(left);
  bytes.set(right, left.length);
  return bytes;
}

function digest(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(sha256(bytes).match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
