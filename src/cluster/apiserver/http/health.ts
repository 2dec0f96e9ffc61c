// /healthz, /livez, /readyz: `ok`, or with ?verbose a line a check; single checks have paths of their own.

import type { HttpCall } from "./call.ts";
import type { ServedApi } from "./served-api.ts";
import { replyText } from "./writing.ts";

/** Checks in the order of the real server's output. */
const startHooks = [
  "start-apiserver-admission-initializer",
  "generic-apiserver-start-informers",
  "priority-and-fairness-config-consumer",
  "priority-and-fairness-filter",
  "storage-object-count-tracker-hook",
  "start-apiextensions-informers",
  "start-apiextensions-controllers",
  "crd-informer-synced",
  "start-system-namespaces-controller",
  "peer-endpoint-reconciler-controller",
  "start-cluster-authentication-info-controller",
  "start-kube-apiserver-identity-lease-controller",
  "start-kube-apiserver-identity-lease-garbage-collector",
  "storage-readiness",
  "start-legacy-token-tracking-controller",
  "start-service-ip-repair-controllers",
  "rbac/bootstrap-roles",
  "scheduling/bootstrap-system-priority-classes",
  "priority-and-fairness-config-producer",
  "bootstrap-controller",
  "start-kubernetes-service-cidr-controller",
  "aggregator-reload-proxy-client-cert",
  "start-kube-aggregator-informers",
  "apiservice-status-local-available-controller",
  "apiservice-status-remote-available-controller",
  "apiservice-registration-controller",
  "apiservice-discovery-controller",
  "kube-apiserver-autoregistration",
].map((hook) => `poststarthook/${hook}`);
const lastChecks = [
  "autoregister-completion",
  "poststarthook/apiservice-openapi-controller",
  "poststarthook/apiservice-openapiv3-controller",
];

const alive = ["ping", "log", "loopback-serving-certificate", "etcd", ...startHooks, ...lastChecks];

export const checksOf: { readonly [endpoint: string]: readonly string[] } = {
  healthz: alive,
  livez: alive,
  readyz: ["ping", "log", "etcd", "etcd-readiness", "informer-sync", ...startHooks, ...lastChecks, "shutdown"],
};

/** All checks of an endpoint with one outcome, and how often that was so: probes ask all the time. */
interface Outcome {
  readonly endpoint: string;
  readonly checks: readonly string[];
  readonly failing: readonly string[];
  times: number;
}

const outcomes = new WeakMap<ServedApi, Map<string, Outcome>>();

function count(server: ServedApi, endpoint: string, checks: readonly string[], failing: readonly string[]): void {
  let ofServer = outcomes.get(server);
  if (ofServer === undefined) {
    ofServer = new Map();
    outcomes.set(server, ofServer);
  }
  const key = failing.length === 0 ? endpoint : `${endpoint} ${failing.join()}`;
  const outcome = ofServer.get(key);
  if (outcome === undefined) ofServer.set(key, { endpoint, checks, failing, times: 1 });
  else outcome.times += 1;
}

/** How often each check was found well or not, by `endpoint check success|error`. */
export function checkCounts(server: ServedApi): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { endpoint, checks, failing, times } of outcomes.get(server)?.values() ?? []) {
    for (const check of checks) {
      const key = `${endpoint} ${check} ${failing.includes(check) ? "error" : "success"}`;
      counts.set(key, (counts.get(key) ?? 0) + times);
    }
  }
  return counts;
}

/** False for a check that does not exist. */
export function serveHealth(call: HttpCall, path: string): boolean {
  const slash = path.indexOf("/", 1);
  const endpoint = slash < 0 ? path.slice(1) : path.slice(1, slash);
  const { encryption } = call.server.store;
  const usual = checksOf[endpoint] ?? [];
  const checks = encryption?.checksOf(endpoint, usual) ?? usual;
  const single = slash < 0 ? "" : path.slice(slash + 1);
  if (single !== "") {
    if (!checks.includes(single)) return false;
    // By itself a check says why; in lists the reason is withheld.
    const cause = encryption?.failure(single) ?? `error getting data from etcd: ${call.server.etcd.failure}`;
    const why = `internal server error: ${cause}\n`;
    if (call.server.failing([single]).length > 0) replyText(call.responder, 500, why, call.headers);
    else replyText(call.responder, 200, "ok", call.headers);
    return true;
  }
  const { query } = call.info;
  const failing = call.server.failing(checks);
  count(call.server, endpoint, checks, failing);
  const excluded = query.size === 0 ? [] : query.getAll("exclude");
  const counted = failing.filter((check) => !excluded.includes(check));
  if (counted.length === 0 && !query.has("verbose")) {
    replyText(call.responder, 200, "ok", call.headers);
    return true;
  }
  const lines = checks.map((check) => {
    if (excluded.includes(check)) return `[+]${check} excluded: ok\n`;
    return failing.includes(check) ? `[-]${check} failed: reason withheld\n` : `[+]${check} ok\n`;
  });
  const unmatched = [...new Set(excluded)].filter((name) => !checks.includes(name)).sort();
  if (unmatched.length > 0)
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unmatched.map((name) => JSON.stringify(name))}\n`);
  const verdict = counted.length === 0 ? "passed" : "failed";
  replyText(call.responder, counted.length === 0 ? 200 : 500, `${lines.join("")}${endpoint} check ${verdict}\n`, call.headers);
  return true;
}
