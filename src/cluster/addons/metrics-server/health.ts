// /healthz, /livez and /readyz, open to everyone: the checks of a generic API server and metrics-server's own (pkg/server).

import { replyText } from "#cluster/apiserver/http/writing.ts";
import type { HttpResponder } from "#sim/http.ts";

export interface HealthChecks {
  /** Nodes and pods have been read. */
  readonly hasSynced: () => boolean;
  /** There are metrics to serve. */
  readonly isReady: () => boolean;
  readonly onFailure: (check: string) => void;
}

const first = ["ping", "log"];
const hooks = ["poststarthook/max-in-flight-filter", "poststarthook/storage-object-count-tracker-hook"];
/** metric-collection-timely always holds: a node that does not answer keeps no other waiting. */
const checksOf: { readonly [endpoint: string]: readonly string[] } = {
  healthz: [...first, ...hooks, "metadata-informer-sync"],
  livez: [...first, ...hooks, "metric-collection-timely", "metadata-informer-sync"],
  readyz: [...first, ...hooks, "metric-storage-ready", "metric-informer-sync", "metadata-informer-sync", "shutdown"],
};

function passes(checks: HealthChecks, name: string): boolean {
  if (name === "metric-storage-ready") return checks.isReady();
  return name.endsWith("informer-sync") ? checks.hasSynced() : true;
}

/** False when the path is no health check. */
export function serveHealth(
  checks: HealthChecks,
  { path, query, responder }: { readonly path: string; readonly query: URLSearchParams; readonly responder: HttpResponder },
): boolean {
  const [, endpoint = "", ...rest] = path.split("/");
  const names = checksOf[endpoint];
  if (names === undefined) return false;
  const single = rest.join("/");
  if (single !== "" && !names.includes(single)) return false;
  const asked = single === "" ? names : [single];
  const failing = asked.filter((name) => !passes(checks, name));
  for (const name of failing) checks.onFailure(name);
  if (failing.length === 0 && !query.has("verbose")) {
    replyText(responder, 200, "ok");
    return true;
  }
  const lines = asked.map((name) => (failing.includes(name) ? `[-]${name} failed: reason withheld\n` : `[+]${name} ok\n`));
  const verdict = failing.length === 0 ? "passed" : "failed";
  replyText(responder, failing.length === 0 ? 200 : 500, `${lines.join("")}${endpoint} check ${verdict}\n`);
  return true;
}
