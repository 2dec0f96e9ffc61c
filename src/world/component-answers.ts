// What the controller manager (10257) and schedulers (10259) answer beside `ok`. Who may ask is decided by the API server (delegated
// authentication and authorization of apiserver, pkg/server/options): certificates of the cluster's authority and tokens are known, all
// others are anonymous, and all but the health endpoints themselves is asked for in a SubjectAccessReview.

import { compareBytes } from "#cluster/api/json-write.ts";
import { subjectAccessReviews } from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { Client, ClientFactory, UserInfo } from "#cluster/client/client.ts";
import { asked, bearerToken, subjectOf, userOfToken } from "#cluster/client/delegated-access.ts";
import { managerConfigz } from "#cluster/controllers/configz.ts";
import type { ControllerManager } from "#cluster/controllers/controller-manager.ts";
import { managerChecks } from "#cluster/controllers/health-checks.ts";
import type { ZoneReport } from "#cluster/controllers/nodes/zone-states.ts";
import { schedulerConfigz } from "#cluster/scheduler/configuration/configz.ts";
import type { Scheduler } from "#cluster/scheduler/scheduler.ts";
import { buildInfoHelp, buildInfoText } from "#cluster/zpages/build-info.ts";
import { flagValuesOf } from "#cluster/zpages/flag-values.ts";
import { flagzPage } from "#cluster/zpages/flagz.ts";
import { type HealthEndpoint, healthPage } from "#cluster/zpages/health-pages.ts";
import { notFound, type Page, pageOrRefusal, pathOf, plainText, statusPage } from "#cluster/zpages/page.ts";
import { debugFlagsPage, profilingPage } from "#cluster/zpages/profiling.ts";
import { type AskedCounts, prometheusText, sliPage } from "#cluster/zpages/sli-page.ts";
import { statuszPage } from "#cluster/zpages/statusz.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpHandler, HttpPeer, HttpRequest } from "#sim/http.ts";
import type { Simulation } from "#sim/simulation.ts";
import { type Metric, metricsPage } from "./metric-text.ts";
import { clusterAuthority } from "./pki/cluster-pki.ts";

export { dnsMetrics } from "./dns-metrics.ts";

export interface ComponentServer {
  readonly simulation: Simulation;
  readonly clients: ClientFactory;
  /** As whom it asks the API server. */
  readonly user: UserInfo;
  readonly startedMs: number;
  readonly name: "kube-controller-manager" | "kube-scheduler";
  readonly argv: readonly string[];
  /** `kube-scheduler`; "" where no lease is asked for. */
  readonly lease: string;
  readonly component: Pick<ControllerManager, "isLeader"> &
    Partial<Pick<ControllerManager, "zones"> & Pick<Scheduler, "pendingByQueue">>;
}

const anonymous: UserInfo = { name: "system:anonymous", groups: ["system:unauthenticated"] };
/** Nobody needs a right for these (--authorization-always-allow-paths). */
const openPaths: ReadonlySet<string> = new Set(["/healthz", "/livez", "/readyz"]);

/** `counts`: how often health was asked for. */
export function answer(server: ComponentServer, counts: AskedCounts, ...[request, peer, responder]: Parameters<HttpHandler>): void {
  const { status, headers, text } = refusal(server, request, peer) ?? pageOrRefusal(() => pageAt(server, counts, request), request);
  responder.reply(status, { "cache-control": "no-cache, private", ...headers }, encodeUtf8(text));
}

/** Undefined: whoever asks may. */
function refusal(server: ComponentServer, request: HttpRequest, peer: HttpPeer): Page | undefined {
  const path = pathOf(request);
  const client = server.clients.clientFor(server.user, server.lease);
  const user = userOf(server.simulation.nowMs, client, request, peer);
  if (user === undefined) return refusalPage(request, { code: 401, reason: "Unauthorized", message: "Unauthorized" });
  if (openPaths.has(path)) return undefined;
  const refused = refusalOf(client, user, asciiLowerCase(request.method), path);
  return refused === undefined ? undefined : refusalPage(request, refused);
}

function refusalPage(request: HttpRequest, { code, reason, message }: Refusal): Page {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason } as const;
  const page = statusPage(code === 403 ? { ...status, details: {}, code } : { ...status, code }, request);
  return code === 403 ? { ...page, headers: { ...page.headers, "x-content-type-options": "nosniff" } } : page;
}

function pageAt(server: ComponentServer, counts: AskedCounts, request: HttpRequest): Page {
  const { name, argv, startedMs, simulation } = server;
  const path = pathOf(request);
  const accept = request.headers["accept"] ?? "";
  const health = healthOf(server);
  const healthPaths = health.flatMap((each) => [each.path]);
  const paths = ["/configz", "/flagz", "/metrics", ...healthPaths];
  const component = { name, argv, startedMs, nowMs: simulation.nowMs, paths };
  if (path === "/metrics") return textPage(prometheusText, metricsText(server));
  if (path === "/metrics/slis") return sliPage(health, counts, startedMs);
  if (path === "/metrics/resources" && name === "kube-scheduler") return textPage(prometheusText, "");
  if (path === "/statusz") return statuszPage(component, accept);
  if (path === "/flagz") return flagzPage(component, accept);
  if (path === "/configz") return configzPage(server);
  const isProfiled = flagValuesOf(name, argv).get("profiling") === "true";
  const debug = isProfiled ? (profilingPage(request, argv) ?? debugFlagsPage(request)) : undefined;
  return healthPage(health, request) ?? debug ?? notFound;
}

function textPage(type: string, text: string): Page {
  return { status: 200, headers: { ...plainText, "content-type": type }, text };
}

function configzPage({ name, argv }: ComponentServer): Page {
  const flags = flagValuesOf(name, argv);
  if (name === "kube-scheduler" && flags.get("config") !== "") {
    const text = "configz: not simulated for a scheduler that was started with --config\n";
    return { status: 501, headers: plainText, text };
  }
  const document: JsonValue = name === "kube-scheduler" ? schedulerConfigz(flags) : managerConfigz(flags);
  return textPage("application/json", JSON.stringify(document));
}

function healthOf({ name, lease, argv, component }: ComponentServer): readonly HealthEndpoint[] {
  const election = lease === "" ? [] : ["leaderElection"];
  if (name === "kube-scheduler") {
    const healthz = lease === "" ? ["ping"] : election;
    return [
      { path: "/healthz", checks: healthz, hasSingleChecks: true },
      { path: "/livez", checks: ["ping"], hasSingleChecks: true },
      { path: "/readyz", checks: [...election, "shutdown", "sched-handler-sync"], hasSingleChecks: true },
    ];
  }
  const controllers = (flagValuesOf(name, argv).get("controllers") ?? "").replace(/^\[|\]$/g, "").split(",");
  // Its checks change as it runs: they have no paths of their own.
  return [{ path: "/healthz", checks: managerChecks(controllers, lease, component.isLeader), hasSingleChecks: false }];
}

/** Undefined: a token that nobody vouches for. */
function userOf(nowMs: number, client: Client, request: HttpRequest, { certificate }: HttpPeer): UserInfo | undefined {
  if (certificate?.isSignedBy?.(clusterAuthority) === true) {
    const { notBeforeMs, notAfterMs, commonName, organizations } = certificate;
    const isValid = nowMs >= notBeforeMs && nowMs <= notAfterMs;
    if (isValid) return { name: commonName, groups: [...organizations, "system:authenticated"] };
    return undefined;
  }
  const token = bearerToken(request.headers["authorization"] ?? "");
  return token === undefined ? anonymous : userOfToken(client, token);
}

interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

function refusalOf(client: Client, user: UserInfo, verb: string, path: string): Refusal | undefined {
  if (user.groups.includes("system:masters")) return undefined;
  const spec = { ...subjectOf(user), nonResourceAttributes: { path, verb } };
  const status = asked(() => client.create(subjectAccessReviews, { spec }))?.status;
  if (status?.allowed === true) return undefined;
  const cause = status?.reason === undefined || status.reason === "" ? "" : `: ${status.reason}`;
  const message = `forbidden: User ${JSON.stringify(user.name)} cannot ${verb} path ${JSON.stringify(path)}${cause}`;
  return status === undefined
    ? { code: 500, reason: "InternalError", message: "Internal Server Error" }
    : { code: 403, reason: "Forbidden", message };
}

function metricsText(server: ComponentServer): string {
  const { lease, component } = server;
  const common: readonly Metric[] = [
    {
      name: "kubernetes_build_info",
      type: "gauge",
      help: buildInfoHelp,
      samples: [{ labels: buildInfoText, value: 1 }],
    },
    {
      name: "leader_election_master_status",
      type: "gauge",
      help: "[ALPHA] Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
      samples: lease === "" ? [] : [{ labels: `name="${lease}"`, value: Number(component.isLeader) }],
    },
    {
      name: "process_start_time_seconds",
      type: "gauge",
      help: "Start time of the process since unix epoch in seconds.",
      samples: [{ labels: "", value: server.startedMs / 1000 }],
    },
  ];
  return metricsPage([...common, ...schedulerMetrics(component), ...zoneMetrics(component.zones ?? [])]);
}

/** Beyond what all components have. */
function schedulerMetrics(component: ComponentServer["component"]): readonly Metric[] {
  const counts = component.pendingByQueue?.();
  if (counts === undefined) return [];
  const pending: Metric = {
    name: "scheduler_pending_pods",
    type: "gauge",
    help: "[STABLE] Number of pending pods, by the queue type. 'active' means number of pods in activeQ; 'backoff' means number of pods in backoffQ; 'unschedulable' means number of pods in unschedulablePods that the scheduler attempted to schedule and failed; 'gated' is the number of unschedulable pods that the scheduler never attempted to schedule because they are gated.",
    samples: (["active", "backoff", "gated", "unschedulable"] as const).map((queue) => ({
      labels: `queue="${queue}"`,
      value: counts.get(queue) ?? 0,
    })),
  };
  return [pending];
}

/** Of a controller manager that leads; a zone's name has the zero byte that upstream puts between its region and itself. */
function zoneMetrics(zones: readonly ZoneReport[]): readonly Metric[] {
  const metric = (name: string, type: Metric["type"], help: string, count: (zone: ZoneReport) => number): Metric => ({
    name: `node_collector_${name}`,
    type,
    help,
    samples: [...zones]
      .sort((a, b) => compareBytes(a.zone, b.zone))
      .map((zone) => ({ labels: `zone="${zone.zone}"`, value: count(zone) })),
  });
  const size = ({ ready, notReady }: ZoneReport): number => ready + notReady;
  return [
    metric(
      "evictions_total",
      "counter",
      "[STABLE] Number of Node evictions that happened since current instance of NodeController started.",
      ({ evictions }) => evictions,
    ),
    metric(
      "unhealthy_nodes_in_zone",
      "gauge",
      "[ALPHA] Gauge measuring number of not Ready Nodes per zones.",
      ({ notReady }) => notReady,
    ),
    metric("zone_health", "gauge", "[ALPHA] Gauge measuring percentage of healthy nodes per zone.", (zone) =>
      size(zone) === 0 ? 100 : (100 * zone.ready) / size(zone),
    ),
    metric("zone_size", "gauge", "[ALPHA] Gauge measuring number of registered Nodes per zones.", size),
  ];
}
