// Who makes a request: the subject of a client certificate, the service account of a bearer token, or nobody.

import { otherFailure } from "#cluster/api/errors.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { HttpHeaders, HttpPeer } from "#sim/http.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

export const anonymous: UserInfo = { name: "system:anonymous", groups: ["system:unauthenticated"] };
const authenticated = "system:authenticated";

export interface Authenticator {
  /** Names of the authorities whose client certificates count. */
  readonly clientIssuers: ReadonlySet<string>;
  readonly tokens: ServiceAccountTokens;
  readonly nowMs: number;
}

/** Throws Unauthorized for credentials that are there but wrong. */
export function authenticate(headers: HttpHeaders, peer: HttpPeer, authenticator: Authenticator): UserInfo {
  const { certificate } = peer;
  if (certificate !== undefined && authenticator.clientIssuers.has(certificate.issuer)) {
    const { notBeforeMs, notAfterMs, commonName, organizations } = certificate;
    if (authenticator.nowMs < notBeforeMs || authenticator.nowMs > notAfterMs) throw unauthorized();
    return { name: commonName, groups: [...organizations, authenticated] };
  }
  if (certificate !== undefined) throw unauthorized();
  const header = headers["authorization"];
  if (header === undefined || header.trim() === "") return anonymous;
  const token = /^Bearer\s+(\S+)$/i.exec(header.trim())?.[1];
  const user = token === undefined ? undefined : authenticator.tokens.verify(token);
  if (user === undefined) throw unauthorized();
  return { ...user, groups: [...user.groups, authenticated] };
}

export function unauthorized(): Error {
  return otherFailure(401, "Unauthorized", "Unauthorized");
}
