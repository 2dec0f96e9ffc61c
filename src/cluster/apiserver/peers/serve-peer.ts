// Requests for what this server does not know and a peer does: they go there once, in the name of whoever asked.

import type { HttpCall } from "../http/call.ts";
import { forwardedHeaders, Links, passBack } from "../http/passing-on.ts";
import { replyText } from "../http/writing.ts";

/** By it a server sees that a request has come from a peer. */
export const proxiedHeader = "x-kubernetes-peer-proxied";

/** After the request has been authorized. False where it has been passed on already, or no peer serves it. */
export function servePeer(call: HttpCall): boolean {
  const { info, request, server, user, userAgent } = call;
  const { peers } = server;
  const target = request.headers[proxiedHeader] === "true" ? undefined : peers?.find(info);
  if (peers === undefined || target === undefined) return false;
  const headers = { ...forwardedHeaders(call), [proxiedHeader]: "true" };
  const event = server.audit.begin({ ...info, user, userAgent });
  server.remoteServers.sendTo({ target, tls: peers.tls, user, request: { ...request, headers } }, (result) => {
    const code = "failure" in result ? 503 : result.exchange.status;
    server.audit.complete(event, code);
    peers.count(code, info);
    if ("failure" in result) replyText(call.responder, code, `${result.failure}\n`, call.headers);
    else passBack(call, result.exchange, new Links(target, request.headers["host"] ?? "", ""));
  });
  return true;
}
