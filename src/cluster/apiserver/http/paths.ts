// Paths that are no resources: discovery, health, version, metrics.

import type { JsonValue } from "#cluster/api/objects.ts";
import { lateRequests } from "../late-requests.ts";
import type { HttpCall } from "./call.ts";
import { serveHealth } from "./health.ts";
import { versionInfo } from "./version.ts";
import { replyText, replyValue } from "./writing.ts";

/** Answers a path; false when there is nothing at it. */
export function servePath(call: HttpCall): boolean {
  const { path } = call.info;
  const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  if (call.request.method !== "GET" && call.request.method !== "HEAD") return lateRequests.code.refuseWrite(call, trimmed);
  if (trimmed === "/version") return json(call, versionInfo);
  if (/^\/(healthz|livez|readyz)(\/.*)?$/.test(trimmed)) return serveHealth(call, trimmed);
  if (trimmed === "/metrics" || trimmed === "/metrics/slis") {
    const { metricsText, sliText } = lateRequests.code;
    replyText(call.responder, 200, (trimmed === "/metrics" ? metricsText : sliText)(call.server), {
      ...call.headers,
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
    });
    return true;
  }
  if (trimmed === "/") return json(call, { paths: lateRequests.code.rootPaths(call) });
  return lateRequests.code.serveDiscovery(call, trimmed);
}

/** Replies with a JSON document. */
function json(call: HttpCall, value: JsonValue): true {
  replyValue(call.responder, 200, value, { mediaType: "application/json", pretty: true }, call.headers);
  return true;
}
