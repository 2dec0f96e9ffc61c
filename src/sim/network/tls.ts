// What a TLS client checks of a server's certificate, in the words of Go's crypto/x509.

import type { Certificate, TlsClient, TlsFailure } from "../net.ts";

/** undefined: accepted. */
export function verifyServer(client: TlsClient, certificate: Certificate, nowMs: number): TlsFailure | undefined {
  if (client.authorities === undefined) return undefined;
  if (!client.authorities.some((authority) => certificate.isSignedBy?.(authority) === true))
    return {
      tls: "x509: certificate signed by unknown authority",
      isSelfSigned: certificate.commonName === certificate.issuer,
    };
  if (nowMs > certificate.notAfterMs || nowMs < certificate.notBeforeMs) {
    return { tls: "x509: certificate has expired or is not yet valid" };
  }
  const names = certificate.alternativeNames;
  if (names.some((name) => matchesName(name, client.serverName))) return undefined;
  const isAddress = /^[\d.]+$/.test(client.serverName) || client.serverName.includes(":");
  const valid = names.filter((name) => (/^[\d.]+$/.test(name) || name.includes(":")) === isAddress);
  if (isAddress) {
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

function matchesName(pattern: string, name: string): boolean {
  const wanted = name.toLowerCase();
  const given = pattern.toLowerCase();
  if (given === wanted) return true;
  if (!given.startsWith("*.")) return false;
  const dot = wanted.indexOf(".");
  return dot > 0 && wanted.slice(dot) === given.slice(1);
}
