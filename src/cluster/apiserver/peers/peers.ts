// The other API servers of a cluster, as this one sees them: what they serve, and the way to them. Without `--peer-ca-file` there is none.

import type { JsonObject } from "#cluster/api/wire.ts";
import type { HttpCall } from "../http/call.ts";

export interface Peers {
  start(): void;
  stop(): void;
  /** Whether the request went to a peer that serves what this server does not know. Throws ServiceUnavailable. */
  passOn(call: HttpCall): boolean;
  /** The entries of /apis in aggregated form: this server's, and what peers serve beside them. */
  merged(own: readonly JsonObject[]): readonly JsonObject[];
}
