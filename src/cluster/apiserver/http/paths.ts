// Paths that are no resources: discovery, health, version, metrics.

import { lateRequests } from "../late-requests.ts";
import type { HttpCall } from "./call.ts";
import { serveHealth } from "./health.ts";
import { versionInfo } from "./version.ts";
import { replyValue } from "./writing.ts";

/** Answers a path; false when there is nothing at it. */
export function servePath(call: HttpCall): boolean {
  const { path } = call.info;
  const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  const { method } = call.request;
  if (method !== "GET" && method !== "HEAD") return lateRequests.code.serveOtherPath(call, trimmed);
  if (trimmed === "/version") {
    replyValue(call.responder, 200, versionInfo, { mediaType: "application/json", pretty: true }, call.headers);
    return true;
  }
  if (/^\/(healthz|livez|readyz)(\/.*)?$/.test(trimmed)) return serveHealth(call, trimmed);
  return lateRequests.code.serveOtherPath(call, trimmed);
}
