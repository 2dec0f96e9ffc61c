// What the controller manager (10257) and schedulers (10259) answer beside their health checks. Who may ask is decided by the API server
// (delegated authentication and authorization of apiserver, pkg/server/options): certificates of the cluster's authority and tokens are
// known, all others are anonymous, and all but the health checks is asked for in a SubjectAccessReview.

import { subjectAccessReviews } from "#cluster/api/kinds.ts";
import { versionInfo } from "#cluster/apiserver/http/version.ts";
import type { Client, ClientFactory, UserInfo } from "#cluster/client/client.ts";
import { asked, bearerToken, subjectOf, userOfToken } from "#cluster/client/delegated-access.ts";
import type { ControllerManager } from "#cluster/controllers/controller-manager.ts";
import type { Scheduler } from "#cluster/scheduler/scheduler.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpHandler, HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Simulation } from "#sim/simulation.ts";
import { clusterAuthority } from "./pki/cluster-pki.ts";

export interface ComponentServer {
  readonly simulation: Simulation;
  readonly clients: ClientFactory;
  /** As whom it asks the API server. */
  readonly user: UserInfo;
  readonly startedMs: number;
  /** `kube-scheduler`; "" where no lease is asked for. */
  readonly lease: string;
  readonly component: Pick<ControllerManager, "isLeader"> & Partial<Pick<Scheduler, "pendingByQueue">>;
}

/** One name with its samples; `labels` as they are written, without braces. */
interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly samples: readonly { readonly labels: string; readonly value: number }[];
}

const anonymous: UserInfo = { name: "system:anonymous", groups: ["system:unauthenticated"] };
const prometheusText = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

/** Answers all paths but those of the health checks, which nobody needs a right for. */
export function answer(server: ComponentServer, ...[request, peer, responder]: Parameters<HttpHandler>): void {
  const path = request.target.replace(/\?.*/, "");
  const client = server.clients.clientFor(server.user, server.lease);
  const user = userOf(server.simulation.nowMs, client, request, peer);
  if (user === undefined) {
    replyStatus(request, responder, { code: 401, reason: "Unauthorized", message: "Unauthorized" });
    return;
  }
  const refusal = refusalOf(client, user, asciiLowerCase(request.method), path);
  if (refusal !== undefined) replyStatus(request, responder, refusal);
  else if (path === "/metrics") reply(responder, 200, prometheusText, metricsText(server));
  else reply(responder, 404, "text/plain; charset=utf-8", "404 page not found\n");
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
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = versionInfo;
  const build = `build_date="${buildDate}",compiler="${compiler}",git_commit="${gitCommit}",git_tree_state="${gitTreeState}",git_version="${gitVersion}",go_version="${goVersion}",major="${major}",minor="${minor}",platform="${platform}"`;
  const { lease, component } = server;
  const common: readonly Metric[] = [
    {
      name: "kubernetes_build_info",
      type: "gauge",
      help: "[ALPHA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
      samples: [{ labels: build, value: 1 }],
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
  return [...common, ...schedulerMetrics(component)]
    .filter(({ samples }) => samples.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
    .map(textOf)
    .join("");
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

function textOf({ name, type, help, samples }: Metric): string {
  const lines = samples.map(({ labels, value }) => `${name}${labels === "" ? "" : `{${labels}}`} ${goFloat(value)}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

/** As the text format writes floats: large ones with an exponent. */
function goFloat(value: number): string {
  const exponent = Math.abs(value) < 1 ? 0 : String(Math.trunc(Math.abs(value))).length - 1;
  return exponent < 21 && Math.abs(value) < 1e6 ? String(value) : value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}

function reply(responder: HttpResponder, code: number, type: string, text: string): void {
  responder.reply(code, { "content-type": type, "x-content-type-options": "nosniff" }, encodeUtf8(text));
}

/** People get it with line ends. */
function replyStatus({ headers }: HttpRequest, responder: HttpResponder, { code, reason, message }: Refusal): void {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason };
  const whole = code === 403 ? { ...status, details: {}, code } : { ...status, code };
  const isForPeople = /^(?:curl|Wget|Mozilla)/u.test(headers["user-agent"] ?? "");
  reply(responder, code, "application/json", isForPeople ? JSON.stringify(whole, undefined, 2) : `${JSON.stringify(whole)}\n`);
}
