// Requests for the groups of other API servers: authorized here, answered there.

import type { APIService } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { availability } from "#cluster/resources/apiregistration/apiservices.ts";
import type { HttpCall } from "../http/call.ts";
import { forwardedHeaders, Links, passBack } from "../http/passing-on.ts";
import { replyText } from "../http/writing.ts";

/** After the request has been authorized. */
export function serveRemote(call: HttpCall, registered: Stored<APIService>): void {
  const { server, request, user, userAgent, info } = call;
  const { spec } = registered;
  const target = availability(registered)?.status === "True" && spec !== undefined ? server.remoteServers.locate(spec) : "";
  if (spec === undefined || typeof target === "string") {
    replyText(call.responder, 503, "service unavailable\n", call.headers);
    return;
  }
  const headers = forwardedHeaders(call);
  const event = info.isResource ? server.audit.begin({ ...info, user, userAgent }) : undefined;
  server.remoteServers.send({ spec, target, user, request: { ...request, headers } }, (result) => {
    if (event !== undefined) server.audit.complete(event, "failure" in result ? 503 : result.exchange.status);
    if ("failure" in result) {
      replyText(call.responder, 503, `error trying to reach service: ${result.failure}\n`, call.headers);
    } else passBack(call, result.exchange, new Links(target, request.headers["host"] ?? "", ""));
  });
}
