// Who makes a request: the subject of a client certificate, the service account or the joining node of a bearer token, or
// nobody.

import { otherFailure } from "#cluster/api/errors.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import { fingerprint } from "#cluster/images/fingerprint.ts";
import type { Store } from "#cluster/storage/store.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { HttpHeaders, HttpPeer } from "#sim/http.ts";
import type { Certificate } from "#sim/net.ts";
import { bootstrapUser } from "./authentication/bootstrap-tokens.ts";
import type { RequestHeaderSettings } from "./authentication/request-headers.ts";
import { lateRequests } from "./late-requests.ts";
import { defaultAudience, InvalidToken, type ServiceAccountTokens, type VerifiedToken } from "./service-account-tokens.ts";

const unauthenticated = "system:unauthenticated";
export const anonymous: UserInfo = { name: "system:anonymous", groups: [unauthenticated] };
const authenticated = "system:authenticated";
const defaultIssuer = "kubernetes";

export interface Authenticator {
  /** `--client-ca-file`; without it a certificate counts when it names kubeadm's authority as its issuer. */
  readonly clientAuthority: Certificate | undefined;
  readonly tokens: ServiceAccountTokens;
  readonly store: Store;
  readonly nowMs: number;
  /** Whose word on who asks is taken; undefined: nobody's. */
  readonly frontProxies?: (() => RequestHeaderSettings | undefined) | undefined;
  /** `--anonymous-auth`: whether requests without credentials are taken. */
  readonly takesAnonymous: boolean;
  /** Told why a token does not count. */
  readonly onRefused?: (cause: string) => void;
}

/** Throws Unauthorized for credentials that are there but wrong. */
export function authenticate(headers: HttpHeaders, peer: HttpPeer, authenticator: Authenticator): UserInfo {
  const { certificate } = peer;
  if (certificate !== undefined)
    return proxiedUser(headers, certificate, authenticator) ?? certificateUser(certificate, authenticator);
  const token = bearerToken(headers["authorization"] ?? "");
  if (token === "") {
    if (authenticator.takesAnonymous) return anonymous;
    throw unauthorized();
  }
  try {
    return authenticateToken(token, [defaultAudience], authenticator).user;
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    authenticator.onRefused?.(error.message);
    throw unauthorized();
  }
}

/** Requests of front proxies name a user; all others are spared the look at who signed. */
function proxiedUser(headers: HttpHeaders, certificate: Certificate, { frontProxies, nowMs }: Authenticator): UserInfo | undefined {
  const settings = headers["x-remote-user"] === undefined ? undefined : frontProxies?.();
  const user = settings === undefined ? undefined : lateRequests.code.requestHeaderUser(headers, certificate, settings, nowMs);
  return user === undefined ? undefined : withAuthenticated(user);
}

/** "" where there is none: credentials of other kinds, a password for example, are as good as none. */
function bearerToken(header: string): string {
  const [scheme = "", token = ""] = header.trim().split(" ");
  return asciiLowerCase(scheme) === "bearer" ? token : "";
}

/** Throws InvalidToken with what a TokenReview says of it. */
export function authenticateToken(
  token: string,
  audiences: readonly string[],
  { tokens, store, nowMs }: Pick<Authenticator, "tokens" | "store" | "nowMs">,
): VerifiedToken {
  const verified = verifiedAccount(token, audiences, tokens);
  if (verified !== undefined) return { ...verified, user: withAuthenticated(verified.user) };
  const user = bootstrapUser(store, nowMs, token);
  if (user === undefined) throw new InvalidToken("invalid bearer token");
  return { user: withAuthenticated(user), audiences: audiences.filter((audience) => audience === defaultAudience) };
}

function verifiedAccount(token: string, audiences: readonly string[], tokens: ServiceAccountTokens): VerifiedToken | undefined {
  try {
    return tokens.verify(token, audiences);
  } catch (error) {
    if (error instanceof InvalidToken) throw new InvalidToken(`[invalid bearer token, ${error.message}]`);
    throw error;
  }
}

/** A connection keeps its certificate, so its user is made once. */
const certificateUsers = new WeakMap<NonNullable<HttpPeer["certificate"]>, UserInfo>();

function certificateUser(certificate: NonNullable<HttpPeer["certificate"]>, authenticator: Authenticator): UserInfo {
  const { issuer, notBeforeMs, notAfterMs, commonName, organizations } = certificate;
  const { clientAuthority, nowMs } = authenticator;
  const isTrusted = clientAuthority === undefined ? issuer === defaultIssuer : certificate.isSignedBy?.(clientAuthority) === true;
  if (!isTrusted || nowMs < notBeforeMs || nowMs > notAfterMs) throw unauthorized();
  let user = certificateUsers.get(certificate);
  if (user === undefined) {
    const id = `X509SHA256=${certificate.fingerprint?.() ?? fingerprint(JSON.stringify(certificate))}`;
    user = withAuthenticated({
      name: commonName,
      groups: organizations,
      extra: { "authentication.kubernetes.io/credential-id": [id] },
    });
    certificateUsers.set(certificate, user);
  }
  return user;
}

function withAuthenticated(user: UserInfo): UserInfo {
  if (user.groups.includes(authenticated) || user.groups.includes(unauthenticated)) return user;
  return { ...user, groups: [...user.groups, authenticated] };
}

export function unauthorized(): Error {
  return otherFailure(401, "Unauthorized", "Unauthorized");
}
