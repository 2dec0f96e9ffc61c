// What the server tells of its requests when it has an audit policy and a place to write to (`audit/` makes it, and comes late).

import type { UserInfo } from "#cluster/client/client.ts";
import type { HttpHeaders, HttpRequest } from "#sim/http.ts";
import type { AuditEntry } from "./audit-entry.ts";
import type { ApiResponder } from "./http/api-responder.ts";
import type { RequestInfo } from "./http/request-info.ts";
import type { ResourceRequest } from "./resource-request.ts";
import type { ListRequestOptions } from "./verbs/list.ts";
import type { WatchRequestOptions } from "./verbs/watch.ts";

/** Where audit events go. A server without a policy, or without a place to write to, has none. */
export interface AuditSink {
  /** A request that came over HTTP, once it is known who asks; undefined: the policy wants nothing of it. */
  arrived(arrived: ArrivedRequest, info: RequestInfo, user: UserInfo): AuditedArrival | undefined;
  /** One that was refused before that. */
  turnedAway(arrived: ArrivedRequest, info: RequestInfo): ApiResponder;
  /** One from within the process; undefined: the policy wants nothing of it. */
  called(verb: string, request: ResourceRequest, options: AuditedOptions): AuditEntry | undefined;
  /** The server stops: what waits is written. */
  close(): void;
}

/** As it came over HTTP. */
export interface ArrivedRequest {
  readonly request: HttpRequest;
  readonly responder: ApiResponder;
  /** Of the reply; the Audit-Id is among them. */
  readonly headers: HttpHeaders;
  readonly clientAddress: string;
}

/** What a request in process would have in its query. */
export type AuditedOptions = ListRequestOptions & WatchRequestOptions;

export interface AuditedArrival {
  readonly entry: AuditEntry;
  /** In place of the request's own: it hears of the answer. */
  readonly responder: ApiResponder;
}
