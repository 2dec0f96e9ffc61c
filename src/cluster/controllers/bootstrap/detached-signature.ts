// A JWS of HS256 without its payload, `header..signature`: whoever holds the token and the text can check it
// (k8s.io/cluster-bootstrap/token/jws).

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { encodeBase64 } from "#sim/base64.ts";
import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";

export function detachedSignature(content: string, tokenId: string, tokenSecret: string): string {
  const header = base64Url(JSON.stringify({ alg: "HS256", kid: tokenId }));
  const payload = base64Url(content);
  return `${header}..${base64Url(hmac(sha256, encodeUtf8(tokenSecret), encodeUtf8(`${header}.${payload}`)))}`;
}

function base64Url(content: string | Bytes): string {
  return encodeBase64(content).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
