// What the controller manager (10257) and schedulers (10259) answer beside their health checks. Who may ask is decided by the API server
// (delegated authentication and authorization of apiserver, pkg/server/options): certificates of the cluster's authority and tokens are
// known, all others are anonymous, and all but the health checks is asked for in a SubjectAccessReview.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import { subjectAccessReviews, tokenReviews } from "#cluster/api/kinds.ts";
import { versionInfo } from "#cluster/apiserver/http/version.ts";
import type { Client, UserInfo } from "#cluster/client/client.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpHandler, HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Certificate } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";

export interface ComponentServer {
  readonly simulation: Simulation;
  /** Acts as the component. */
  readonly client: Client;
  /** Whose client certificates count. */
  readonly authority: Certificate;
  readonly startedMs: number;
  /** `kube-scheduler`; undefined where no lease is asked for. */
  readonly lease: string | undefined;
  readonly isLeader: () => boolean;
  /** What it counts beyond what all components do. */
  readonly metrics: () => readonly Metric[];
}

/** One name with its samples; `labels` as they are written, without braces. */
export interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly samples: readonly { readonly labels: string; readonly value: number }[];
}

const anonymous: UserInfo = { name: "system:anonymous", groups: ["system:unauthenticated"] };
const prometheusText = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

/** Answers all paths but those of the health checks, which nobody needs a right for. */
export function componentHandler(server: ComponentServer): HttpHandler {
  return (request, peer, responder) => {
    const path = request.target.replace(/\?.*/, "");
    const user = userOf(server, request, peer);
    if (user === undefined) {
      replyStatus(request, responder, { code: 401, reason: "Unauthorized", message: "Unauthorized" });
      return;
    }
    const verb = asciiLowerCase(request.method);
    const refusal = refusalOf(server, user, verb, path);
    if (refusal !== undefined) replyStatus(request, responder, refusal);
    else if (path === "/metrics") reply(responder, 200, prometheusText, metricsText(server));
    else reply(responder, 404, "text/plain; charset=utf-8", "404 page not found\n");
  };
}

/** Undefined: a token that nobody vouches for. */
function userOf({ simulation, client, authority }: ComponentServer, request: HttpRequest, peer: HttpPeer): UserInfo | undefined {
  const { certificate } = peer;
  if (certificate?.isSignedBy?.(authority) === true) {
    const { notBeforeMs, notAfterMs, commonName, organizations } = certificate;
    const isValid = simulation.nowMs >= notBeforeMs && simulation.nowMs <= notAfterMs;
    if (isValid) return { name: commonName, groups: [...organizations, "system:authenticated"] };
    return undefined;
  }
  const token = /^Bearer\s+(\S+)$/i.exec((request.headers["authorization"] ?? "").trim())?.[1];
  if (token === undefined) return anonymous;
  const { authenticated, user } = asked(() => client.create(tokenReviews, { spec: { token } }))?.status ?? {};
  if (authenticated !== true || user === undefined) return undefined;
  const { username = "", uid, groups = [], extra } = user;
  return { name: username, groups, ...(uid === undefined ? {} : { uid }), ...(extra === undefined ? {} : { extra }) };
}

interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

function refusalOf({ client }: ComponentServer, user: UserInfo, verb: string, path: string): Refusal | undefined {
  if (user.groups.includes("system:masters")) return undefined;
  const { name, groups, uid, extra } = user;
  const spec = {
    user: name,
    groups,
    ...(uid === undefined ? {} : { uid }),
    ...(extra === undefined ? {} : { extra }),
    nonResourceAttributes: { path, verb },
  };
  const status = asked(() => client.create(subjectAccessReviews, { spec }))?.status;
  if (status?.allowed === true) return undefined;
  const cause = status?.reason === undefined || status.reason === "" ? "" : `: ${status.reason}`;
  const message = `forbidden: User ${JSON.stringify(name)} cannot ${verb} path ${JSON.stringify(path)}${cause}`;
  return status === undefined
    ? { code: 500, reason: "InternalError", message: "Internal Server Error" }
    : { code: 403, reason: "Forbidden", message };
}

function asked<T>(question: () => T): T | undefined {
  try {
    return question();
  } catch (error) {
    if (error instanceof ApiError || error instanceof ApiUnreachable) return undefined;
    throw error;
  }
}

function metricsText(server: ComponentServer): string {
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = versionInfo;
  const build = `build_date="${buildDate}",compiler="${compiler}",git_commit="${gitCommit}",git_tree_state="${gitTreeState}",git_version="${gitVersion}",go_version="${goVersion}",major="${major}",minor="${minor}",platform="${platform}"`;
  const { lease } = server;
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
      samples: lease === undefined ? [] : [{ labels: `name="${lease}"`, value: Number(server.isLeader()) }],
    },
    {
      name: "process_start_time_seconds",
      type: "gauge",
      help: "Start time of the process since unix epoch in seconds.",
      samples: [{ labels: "", value: server.startedMs / 1000 }],
    },
  ];
  return [...common, ...server.metrics()]
    .filter(({ samples }) => samples.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
    .map(textOf)
    .join("");
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
