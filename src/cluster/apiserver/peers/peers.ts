// The other API servers of a cluster, as this one sees them: what they serve, and the way to them. Without `--peer-ca-file` there is none.

import type { JsonObject } from "#cluster/api/wire.ts";
import type { Endpoint, TlsClient } from "#sim/net.ts";
import type { RequestInfo } from "../http/request-info.ts";

export interface Peers {
  /** How the way to them is secured. */
  readonly tls: Omit<TlsClient, "certificate">;
  start(): void;
  stop(): void;
  /** A peer that serves what is asked for; undefined where none does. Throws ServiceUnavailable where nobody knows the way to it. */
  find(info: RequestInfo): Endpoint | undefined;
  /** The entries of /apis in aggregated form: this server's, and what peers serve beside them. */
  merged(own: readonly JsonObject[]): readonly JsonObject[];
  /** A request went to a peer; `code` is what came of it. Those about what a peer serves are for no resource. */
  count(code: number, about?: Pick<RequestInfo, "group" | "resource" | "version">): void;
  /** Lines of /metrics. */
  metrics(): readonly string[];
}
