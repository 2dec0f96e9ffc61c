// agnhost test-service-account-issuer-discovery: checks its token as any OpenID Connect client would, by what the issuer publishes.

import { decodeBase64 } from "#sim/base64.ts";
import { type Bytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { verify } from "#x509/rsa.ts";
import { logLine } from "../samples/go-server.ts";
import { command } from "./command.ts";
import { goQuoted, goTime } from "./go-words.ts";
import { call, GoNetError, type GoReply, reasonOf } from "./http-client.ts";
import { inCluster } from "./in-cluster.ts";

interface Claims {
  readonly iss?: string;
  readonly sub?: string;
  readonly aud?: string | readonly string[];
  readonly exp?: number;
  readonly nbf?: number;
  readonly iat?: number;
  readonly jti?: string;
  readonly "kubernetes.io"?: {
    readonly namespace?: string;
    readonly serviceaccount?: { readonly name?: string; readonly uid?: string };
  };
}

interface Token {
  readonly claims: Claims;
  readonly algorithm: string;
  readonly keyId: string;
  /** What is signed. */
  readonly text: string;
  readonly signature: Bytes;
}

interface Key {
  readonly kid?: string;
  readonly kty?: string;
  readonly n?: string;
  readonly e?: string;
}

export const issuerDiscovery = command({
  flags: { "token-path": "", audience: "" },
  *run(self, { flags }) {
    const fail = (reason: string): number => {
      logLine(self, reason);
      return 1;
    };
    let raw: string;
    try {
      raw = self.readText(flags["token-path"]);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      return fail(`open ${flags["token-path"]}: ${reasonOf(error)}`);
    }
    logLine(self, "OK: Got token");
    const token = tokenOf(raw);
    logLine(self, "validating with in-cluster discovery");
    const cluster = inCluster(self);
    if (typeof cluster === "string") return fail(cluster);
    if (token === undefined) return fail("go-jose/go-jose: compact JWS format must have three parts");
    const inside = yield* failureOf(self, token, flags.audience, (url) => cluster.get(url));
    if (inside === undefined) return 0;
    logLine(self, `failed to validate with in-cluster discovery: ${inside}`);
    logLine(self, "falling back to validating with external discovery");
    const outside = yield* failureOf(self, token, flags.audience, (url) => call(self, url));
    return outside === undefined ? 0 : fail(outside);
  },
});

/** Undefined: the issuer vouches for the token. */
function* failureOf(self: Process, token: Token, audience: string, get: (url: string) => Sys<GoReply>): Sys<string | undefined> {
  const { claims } = token;
  const issuer = claims.iss ?? "";
  logLine(self, `OK: got issuer ${issuer}`);
  logLine(self, `Full, not-validated claims: \n${printed(claims)}`);
  try {
    const answer = yield* get(`${issuer.replace(/\/$/u, "")}/.well-known/openid-configuration`);
    if (answer.status !== 200) return `${answer.status}: ${answer.body}`;
    const provider = read<{ readonly issuer?: string; readonly jwks_uri?: string }>(answer.body);
    if (provider === undefined) return "oidc: failed to decode provider discovery object";
    if (provider.issuer !== issuer)
      return `oidc: issuer did not match the issuer returned by provider, expected ${goQuoted(issuer)} got ${goQuoted(provider.issuer ?? "")}`;
    logLine(self, `OK: Constructed OIDC provider for issuer ${issuer}`);
    const audiences = [claims.aud ?? []].flat();
    if (!audiences.includes(audience))
      return `oidc: expected audience ${goQuoted(audience)} got [${audiences.map(goQuoted).join(" ")}]`;
    const expiryMs = (claims.exp ?? 0) * 1000;
    if (expiryMs < self.nowMs) return `oidc: token is expired (Token Expiry: ${goTime(expiryMs, expiryMs).replace(/ m=.*$/u, "")})`;
    if (token.algorithm !== "RS256")
      return `oidc: id token signed with unsupported algorithm, expected ["RS256" "ES256"] got ${goQuoted(token.algorithm)}`;
    const keys = yield* get(provider.jwks_uri ?? "");
    if (keys.status !== 200) return `failed to verify signature: fetching keys oidc: get keys failed: ${keys.status} ${keys.body}`;
    const known = read<{ readonly keys?: readonly Key[] }>(keys.body)?.keys ?? [];
    if (!known.some((key) => (token.keyId === "" || key.kid === token.keyId) && isSignedBy(token, key)))
      return "failed to verify signature: failed to verify id token signature";
  } catch (error) {
    if (!(error instanceof GoNetError)) throw error;
    return error.message;
  }
  logLine(self, "OK: Validated signature on JWT");
  logLine(self, "OK: Got valid claims from token!");
  logLine(self, `Full, validated claims: \n&${printed(claims)}`);
  return undefined;
}

function read<Shape>(text: string): Shape | undefined {
  try {
    const value = JSON.parse(text) as Shape | null;
    return value ?? undefined;
  } catch {
    return undefined;
  }
}

function bytesOf(base64Url: string): Bytes {
  return decodeBase64(`${base64Url.replaceAll("-", "+").replaceAll("_", "/")}${"=".repeat((4 - (base64Url.length % 4)) % 4)}`)
    .bytes;
}

function tokenOf(raw: string): Token | undefined {
  const [head = "", body = "", signature, ...more] = raw.trim().split(".");
  if (signature === undefined || more.length > 0) return undefined;
  const header = read<{ readonly alg?: string; readonly kid?: string }>(decodeUtf8(bytesOf(head)));
  const claims = read<Claims>(decodeUtf8(bytesOf(body)));
  if (header === undefined || claims === undefined) return undefined;
  const { alg: algorithm = "", kid: keyId = "" } = header;
  return { claims, algorithm, keyId, text: `${head}.${body}`, signature: bytesOf(signature) };
}

function isSignedBy({ text, signature }: Token, { kty, n = "", e = "" }: Key): boolean {
  if (kty !== "RSA") return false;
  return verify({ modulus: numberOf(bytesOf(n)), exponent: numberOf(bytesOf(e)) }, encodeUtf8(text), signature);
}

function numberOf(bytes: Bytes): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

/** As `%#v` of Go prints them; dates are pointers there. */
function printed(claims: Claims): string {
  const { iss = "", sub = "", jti = "", "kubernetes.io": kubernetes = {} } = claims;
  const audiences = [claims.aud ?? []].flat().map(goQuoted).join(", ");
  const date = (value: number | undefined, place: string) => `(*jwt.NumericDate)(${value === undefined ? "nil" : place})`;
  const dates = `Expiry:${date(claims.exp, "0xc0002b4c08")}, NotBefore:${date(claims.nbf, "0xc0002b4c10")}, IssuedAt:${date(claims.iat, "0xc0002b4c18")}`;
  const account = `openidmetadata.kubeName{Name:${goQuoted(kubernetes.serviceaccount?.name ?? "")}, UID:${goQuoted(kubernetes.serviceaccount?.uid ?? "")}}`;
  const own = `openidmetadata.kubeClaims{Namespace:${goQuoted(kubernetes.namespace ?? "")}, ServiceAccount:${account}}`;
  return `openidmetadata.claims{Claims:jwt.Claims{Issuer:${goQuoted(iss)}, Subject:${goQuoted(sub)}, Audience:jwt.Audience{${audiences}}, ${dates}, ID:${goQuoted(jti)}}, Kubernetes:${own}}`;
}
