// A request under way, and what is told of it when it has been answered.

import type { HttpHeaders, HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Location, Server } from "./configuration.ts";

/** A request with what the configuration has for it. */
export interface Call {
  readonly request: HttpRequest;
  readonly peer: HttpPeer;
  readonly responder: HttpResponder;
  readonly server: Server;
  readonly location: Location | undefined;
  /** Decoded, without the query. */
  readonly path: string;
  /** Of the client, or the name that it is known by here. */
  readonly host: string;
  readonly requestId: string;
  readonly startedMs: number;
}

/** What the access log tells of whom a request was sent on to. */
export interface SentOn {
  /** `10.244.1.5:80`; several where the first did not answer. */
  readonly addresses: readonly string[];
  readonly lengths: readonly number[];
  readonly seconds: readonly string[];
  readonly statuses: readonly number[];
  /** Of the canary that had it. */
  readonly alternative: string;
}

/** What answers requests and logs them, for whoever has sent one on. */
export interface Answerer {
  /** One of nginx's own pages. */
  page(status: number, call: Call, headers: HttpHeaders, sentOn: SentOn): void;
  /** With those that nginx adds. */
  headersOf(headers: HttpHeaders, call: Call): HttpHeaders;
  log(status: number, sentBytes: number, call: Call, sentOn: SentOn): void;
  /** A line of the error log. */
  complain(message: string, call: Call, upstream?: string): void;
}

/** `0.003` */
export function secondsBetween(fromMs: number, toMs: number): string {
  return ((toMs - fromMs) / 1000).toFixed(3);
}
