// Why another server could not be reached, in the words of Go's network library.

import type { Errno } from "#sim/errors.ts";
import type { TlsFailure } from "#sim/net.ts";

/** net.Dialer's in the API server's transports (client-go/transport/cache.go, apimachinery/pkg/util/net/http.go). */
export const dialTimeoutMs = 30_000;

const texts: { readonly [code in Errno]?: string } = {
  ECONNREFUSED: "connect: connection refused",
  EHOSTUNREACH: "connect: no route to host",
  ENETUNREACH: "connect: network is unreachable",
  ETIMEDOUT: "i/o timeout",
};

/** `authority`: `10.96.0.7:443`. */
export function dialFailure(authority: string, error: Errno | TlsFailure): string {
  if (typeof error === "object") {
    if (error.tls.startsWith("first record")) return "http: server gave HTTP response to HTTPS client";
    return `tls: failed to verify certificate: ${error.tls}`;
  }
  return error === "ECONNRESET" ? "EOF" : `dial tcp ${authority}: ${texts[error] ?? error}`;
}
