// What a TLS client checks of a server's certificate, in the words and the order of Go's crypto/x509: time, name, authority.

import { asciiLowerCase } from "../ascii.ts";
import type { Certificate, TlsClient, TlsFailure, TlsServer } from "../net.ts";

/** What a server shows to a client; addresses are no names to ask for (RFC 6066). */
export function shownTo({ serverName }: TlsClient, server: TlsServer): Certificate {
  return (isAddress(serverName) ? undefined : server.certificateFor?.(serverName)) ?? server.certificate;
}

/** undefined: accepted. */
export function verifyServer(client: TlsClient, certificate: Certificate, nowMs: number): TlsFailure | undefined {
  const { authorities } = client;
  if (authorities === undefined) return undefined;
  if (client.asksAuthorityFirst === true) {
    const unknown = authorityFailure(authorities, certificate);
    if (unknown !== undefined) return unknown;
  }
  if (nowMs > certificate.notAfterMs || nowMs < certificate.notBeforeMs) {
    return { tls: "x509: certificate has expired or is not yet valid" };
  }
  return nameFailure(client, namesOf(client, certificate)) ?? authorityFailure(authorities, certificate);
}

/** A client of OpenSSL's reads the common name of a certificate that has no other; Go's no longer does. */
function namesOf({ asksAuthorityFirst }: TlsClient, certificate: Certificate): readonly string[] {
  return asksAuthorityFirst === true && !namesHosts(certificate) ? [certificate.commonName] : certificate.alternativeNames;
}

export function namesHosts({ alternativeNames, namesHosts: isSo = alternativeNames.length > 0 }: Certificate): boolean {
  return isSo;
}

function authorityFailure(authorities: readonly Certificate[], certificate: Certificate): TlsFailure | undefined {
  if (authorities.some((authority) => certificate.isSignedBy?.(authority) === true)) return undefined;
  return {
    tls: "x509: certificate signed by unknown authority",
    isSelfSigned: certificate.commonName === certificate.issuer,
  };
}

function nameFailure(client: TlsClient, names: readonly string[]): TlsFailure | undefined {
  if (names.some((name) => matchesName(name, client.serverName))) return undefined;
  const asksAddress = isAddress(client.serverName);
  const valid = names.filter((name) => isAddress(name) === asksAddress);
  if (asksAddress) {
    if (valid.length === 0) {
      return { tls: `x509: cannot validate certificate for ${client.serverName} because it doesn't contain any IP SANs` };
    }
    return { tls: `x509: certificate is valid for ${valid.join(", ")}, not ${client.serverName}` };
  }
  if (valid.length === 0) {
    return { tls: `x509: certificate is not valid for any names, but wanted to match ${client.serverName}` };
  }
  return { tls: `x509: certificate is valid for ${valid.join(", ")}, not ${client.serverName}` };
}

function isAddress(name: string): boolean {
  return /^[\d.]+$/.test(name) || name.includes(":");
}

function matchesName(pattern: string, name: string): boolean {
  const wanted = asciiLowerCase(name);
  const given = asciiLowerCase(pattern);
  if (given === wanted) return true;
  if (!given.startsWith("*.")) return false;
  const dot = wanted.indexOf(".");
  return dot > 0 && wanted.slice(dot) === given.slice(1);
}
