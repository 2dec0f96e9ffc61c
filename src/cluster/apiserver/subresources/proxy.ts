// proxy of pods, services and nodes: passes a request on into the cluster's network and the answer back.

import { dialFailure, dialTimeoutMs } from "#cluster/api/dial-failure.ts";
import { internalError } from "#cluster/api/errors.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { noBytes } from "#sim/bytes.ts";
import type { HttpHeaders } from "#sim/http.ts";
import type { HttpCall } from "../http/call.ts";
import { Links, passable, passBack } from "../http/passing-on.ts";
import { requestOf } from "../http/request-reading.ts";
import { replyStatus } from "../http/writing.ts";
import { admitConnect } from "./connect-options.ts";
import { type ProxyTarget, proxyTarget, unavailable } from "./proxy-target.ts";

export function serveProxy(call: HttpCall, definition: ResourceDefinition): void {
  const { server, info, request, responder } = call;
  const asked = requestOf(call, definition);
  const target = server.pipeline.run(info.verb, asked, 200, () => {
    admitConnect(call, asked);
    return proxyTarget(call, definition.plural);
  });
  const { prefix, path, query } = splitTarget(request.target, definition.namespaced);
  if (path === "" && (request.method === "GET" || request.method === "HEAD")) {
    responder.reply(301, { ...call.headers, location: `${prefix}/${query}` }, noBytes);
    return;
  }
  if (server.network === undefined) throw internalError("the cluster's network cannot be reached");
  const passedOn = {
    method: request.method,
    target: `${path === "" ? "/" : path}${query}`,
    headers: forwardedHeaders(call, target, `${prefix}${path}`),
    body: request.body,
  };
  const tls = target.secure ? { tls: { serverName: target.address } } : {};
  server.network.request(target, passedOn, { ...tls, dialMs: dialTimeoutMs }, (result) => {
    if (result.ok) passBack(call, result.exchange, new Links(target, request.headers["host"] ?? "", prefix));
    else
      replyStatus(
        call,
        unavailable(`error trying to reach service: ${dialFailure(`${target.address}:${target.port}`, result.error)}`),
      );
  });
}

/** `/api/v1/namespaces/NS/pods/NAME/proxy`, then the backend's path as it was sent, then `?…`. */
function splitTarget(target: string, namespaced: boolean) {
  const mark = target.indexOf("?");
  const whole = mark < 0 ? target : target.slice(0, mark);
  const parts = whole.split("/");
  const count = namespaced ? 8 : 6;
  const rest = parts.slice(count);
  return {
    prefix: parts.slice(0, count).join("/"),
    path: rest.length === 0 ? "" : `/${rest.join("/")}`,
    query: mark < 0 ? "" : target.slice(mark),
  };
}

function forwardedHeaders(call: HttpCall, target: ProxyTarget, uri: string): HttpHeaders {
  const { headers } = call.request;
  const { "x-forwarded-for": before } = headers;
  return {
    ...passable(headers, headers["upgrade"] !== undefined),
    host: `${target.address}:${target.port}`,
    "x-forwarded-for": before === undefined ? call.clientAddress : `${before}, ${call.clientAddress}`,
    "x-forwarded-uri": uri,
  };
}
