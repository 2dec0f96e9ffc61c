// Whose connection a proxy passes on, where it says so before the requests.

import type { HttpPeer } from "#sim/http.ts";
import type { Endpoint } from "#sim/net.ts";

/** Who called, and whom, as the proxy saw it. */
export interface Proxied {
  readonly source: Endpoint;
  readonly target: Endpoint;
}

export interface ProxiedPeer extends HttpPeer {
  /** Undefined where the proxy does not say (`PROXY UNKNOWN`). */
  readonly proxied: Proxied | undefined;
}
