// A JWS of HS256 without its payload, `header..signature`: whoever holds the token and the text can check it
// (k8s.io/cluster-bootstrap/token/jws).

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { encodeUtf8 } from "#sim/bytes.ts";

export function detachedSignature(content: string, tokenId: string, tokenSecret: string): string {
  const header = base64Url(encodeUtf8(JSON.stringify({ alg: "HS256", kid: tokenId })));
  const payload = base64Url(encodeUtf8(content));
  return `${header}..${base64Url(hmac(sha256, encodeUtf8(tokenSecret), encodeUtf8(`${header}.${payload}`)))}`;
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
