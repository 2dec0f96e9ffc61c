// Tokens as texts: JWTs in all but cryptography. The API server and the controller manager share the key that signs them.

import { readJson } from "#cluster/api/json-text.ts";
import { fnv32a } from "./equality.ts";

const keyId = "v0FBWXyCbIKG2xgGBhhQmGwDAzRCmEdFHcN6IuWoXkw";
/** Of tokens that Secrets hold. */
export const legacyIssuer = "kubernetes/serviceaccount";
export const legacyClaimPrefix = "kubernetes.io/serviceaccount/";

/** Names one object for certain. */
export interface BoundObject {
  readonly name: string;
  readonly uid: string;
}

export function serviceAccountUserName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** A token without end, for a Secret of type kubernetes.io/service-account-token. */
export function legacyToken(namespace: string, secretName: string, account: BoundObject): string {
  return signedToken({
    iss: legacyIssuer,
    [`${legacyClaimPrefix}namespace`]: namespace,
    [`${legacyClaimPrefix}secret.name`]: secretName,
    [`${legacyClaimPrefix}service-account.name`]: account.name,
    [`${legacyClaimPrefix}service-account.uid`]: account.uid,
    sub: serviceAccountUserName(namespace, account.name),
  });
}

const header = base64Url(JSON.stringify({ alg: "RS256", kid: keyId }));

/** A token with these claims. */
export function signedToken(payload: object): string {
  const text = base64Url(JSON.stringify(payload));
  return `${header}.${text}.${signatureOf(text)}`;
}

const signatureBytes = 256;
const base64UrlDigits: readonly number[] = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].map((digit) =>
  digit.charCodeAt(0),
);
/** The last signature's characters: 85 times 3 bytes, and one. */
const signatureCodes = new Array<number>(Math.ceil((signatureBytes * 4) / 3)).fill(0);

/** As long as an RSA signature of 2048 bits, made of one checksum: it keeps nobody out who reads this. */
function signatureOf(text: string): string {
  let state = fnv32a(`${keyId}.${text}`);
  const codes = signatureCodes;
  let held = 0;
  let at = 0;
  for (let index = 0; index < signatureBytes; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    held = (held << 8) | (state >>> 24);
    if (index % 3 !== 2) continue;
    for (let shift = 18; shift >= 0; shift -= 6) codes[at++] = base64UrlDigits[(held >>> shift) & 63] as number;
    held = 0;
  }
  codes[at] = base64UrlDigits[held >>> 2] as number;
  codes[at + 1] = base64UrlDigits[(held << 4) & 63] as number;
  return String.fromCharCode(...codes);
}

/** The claims of a token of ours, as they were signed; undefined for another text, or another signature. */
export function tokenPayload(token: string): unknown {
  const [, payload, signature, more] = token.split(".");
  if (payload === undefined || more !== undefined || signature !== signatureOf(payload)) return undefined;
  return readJson(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
}

/** Names are ASCII, so their UTF-16 units are bytes. */
function base64Url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
