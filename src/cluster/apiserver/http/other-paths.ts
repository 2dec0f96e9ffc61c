// Paths that only people and their programs read.

import type { HttpCall } from "./call.ts";
import { serveDebugPath } from "./debug-paths.ts";
import { serveDiscovery } from "./discovery.ts";
import { refuseWrite } from "./misplaced.ts";
import { rootPaths } from "./root-paths.ts";
import { replyValue } from "./writing.ts";

/** `path` without a slash at its end; false when there is nothing at it. */
export function serveOtherPath(call: HttpCall, path: string): boolean {
  const { method } = call.request;
  if (path.startsWith("/debug/")) return serveDebugPath(call, path);
  if (method !== "GET" && method !== "HEAD") return refuseWrite(call, path);
  if (serveDebugPath(call, path)) return true;
  if (path !== "/") return serveDiscovery(call, path);
  replyValue(call.responder, 200, { paths: rootPaths(call) }, { mediaType: "application/json", pretty: true }, call.headers);
  return true;
}
