// Why another server could not be reached, in the words of Go's network library.

import type { Errno } from "#sim/errors.ts";

const texts: { readonly [code in Errno]?: string } = {
  ECONNREFUSED: "connect: connection refused",
  EHOSTUNREACH: "connect: no route to host",
  ENETUNREACH: "connect: network is unreachable",
  ETIMEDOUT: "i/o timeout",
};

/** `authority`: `10.96.0.7:443`. */
export function dialFailure(authority: string, error: Errno): string {
  return error === "ECONNRESET" ? "EOF" : `dial tcp ${authority}: ${texts[error] ?? error}`;
}
