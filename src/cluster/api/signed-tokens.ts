// Tokens as texts. A signature takes milliseconds, so the tokens that kubelets fetch are drafts at first: a checksum stands in its place
// until a program reads the token. The API server and the controller manager share the key that signs them.

import { readJson } from "#cluster/api/json-text.ts";
import { fnv32a } from "./equality.ts";
import { lateTokenSignature } from "./late-token-signature.ts";

/** SHA-256 of the public key. */
export const keyId = "1_bXU_vk7ygz1GaS56vspn09L_APxZ7YFapTyixkmMY";
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
  return finishedToken(draftToken(payload));
}

/** The same, not signed yet. */
export function draftToken(payload: object): string {
  const text = base64Url(JSON.stringify(payload));
  return `${header}.${text}.${checksumOf(text)}`;
}

export function finishedToken(draft: string): string {
  const text = draft.slice(0, draft.lastIndexOf("."));
  return `${text}.${lateTokenSignature.code.signatureOf(text)}`;
}

const signatureBytes = 256;
const base64UrlDigits: readonly number[] = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].map((digit) =>
  digit.charCodeAt(0),
);
/** The last signature's characters: 85 times 3 bytes, and one. */
const signatureCodes = new Array<number>(Math.ceil((signatureBytes * 4) / 3)).fill(0);

/** As long as an RSA signature of 2048 bits. */
function checksumOf(text: string): string {
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

/** The claims of a token of ours, as they were signed, or of a draft; undefined for another text, or another signature. */
export function tokenPayload(token: string): unknown {
  const [first, payload, signature, more] = token.split(".");
  if (first !== header || payload === undefined || more !== undefined) return undefined;
  if (signature !== checksumOf(payload) && token !== finishedToken(token)) return undefined;
  return readJson(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
}

/** Names are ASCII, so their UTF-16 units are bytes. */
function base64Url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
