// Requests that become byte streams (exec, attach, port-forward). The real kubectl asks for a WebSocket with GET and, when that is
// refused, for SPDY with POST; the refusal of the second attempt is what it prints (k8s.io/streaming, spdy/roundtripper.go). Here
// both attempts speak WebSocket.

import { decodeUtf8 } from "#sim/bytes.ts";
import { upgradeRequestHeaders } from "#sim/network/websocket.ts";
import type { Sys } from "#sim/program.ts";
import { KubectlError } from "../errors.ts";
import { type Query, type RestClient, refusalOf } from "./rest-client.ts";

export interface UpgradeRequest {
  readonly path: string;
  readonly query?: Query;
  /** The WebSocket's subprotocol. */
  readonly protocol: string;
}

/** The stream's descriptor. Throws KubectlError when both attempts are refused. */
export function* openUpgraded(client: RestClient, { protocol, ...request }: UpgradeRequest): Sys<number> {
  let refusal = "";
  for (const method of ["GET", "POST"]) {
    const headers = upgradeRequestHeaders(client.self.random, [protocol]);
    const reply = yield* client.open({ ...request, method, headers, accept: "*/*" });
    if (reply.status === 101) return reply.fd;
    refusal = refusalOf(reply.status, decodeUtf8(yield* client.readBody(reply))).message;
  }
  throw new KubectlError(`unable to upgrade connection: ${refusal}`);
}
