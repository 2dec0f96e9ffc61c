// What metrics-server answers: health, discovery, and the metrics of nodes and pods to those whom the front proxy names.

import type { Node, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { apiResourceList } from "#cluster/api/openapi/resource-list.ts";
import type { ServedResource } from "#cluster/api/openapi/served.ts";
import { negotiateOutput } from "#cluster/apiserver/http/negotiation.ts";
import { replyStatus, replyText, replyValue } from "#cluster/apiserver/http/writing.ts";
import type { HttpHandler, HttpRequest, HttpResponder } from "#sim/http.ts";
import { group, groupVersion } from "./group.ts";
import { type HealthChecks, serveHealth } from "./health.ts";
import { lateMetrics } from "./late-metrics.ts";
import type { MetricStorage } from "./metric-storage.ts";

export interface ApiOptions {
  readonly storage: MetricStorage;
  readonly health: HealthChecks;
  readonly nowMs: () => number;
  readonly nodes: () => Iterable<Stored<Node>>;
  /** Those that run. */
  readonly pods: () => Iterable<Stored<Pod>>;
}

export interface Call {
  readonly request: HttpRequest;
  readonly responder: HttpResponder;
  readonly headers: { readonly [name: string]: string };
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A path below the group version. */
export interface Target {
  readonly plural: "nodes" | "pods";
  readonly namespace: string;
  readonly name: string;
}

const root = `/apis/${groupVersion}`;
const shared = {
  group,
  version: "v1beta1",
  singular: "",
  shortNames: [],
  categories: [],
  verbs: ["get", "list"],
  subresources: [],
};
export const served: readonly ServedResource[] = [
  { ...shared, plural: "nodes", kind: "NodeMetrics", namespaced: false },
  { ...shared, plural: "pods", kind: "PodMetrics", namespaced: true },
];

export function metricsApi(options: ApiOptions): HttpHandler {
  return (request, _peer, responder) => {
    const [path = "", search = ""] = request.target.split(/\?(.*)/s, 2);
    const call: Call = {
      request,
      responder,
      headers: { "cache-control": "no-cache, private" },
      path,
      query: new URLSearchParams(search),
    };
    try {
      if (!serveHealth(options.health, call)) serveApi(options, call);
    } catch (error) {
      replyStatus(call, error);
    }
  };
}

function serveApi(options: ApiOptions, call: Call): void {
  const target = targetOf(call.path);
  if ((call.request.headers["x-remote-user"] ?? "") === "") throw lateMetrics.code.refusal(call, target);
  if (target !== undefined) lateMetrics.code.serveMetrics(options, call, target);
  else if (!serveDiscovery(call)) replyText(call.responder, 404, "404 page not found\n", call.headers);
}

function targetOf(path: string): Target | undefined {
  if (!path.startsWith(`${root}/`)) return undefined;
  const parts = path
    .slice(root.length + 1)
    .replace(/\/$/, "")
    .split("/");
  const [first = "", second = "", third = "", fourth = ""] = parts;
  if (parts.length <= 2 && (first === "nodes" || first === "pods")) {
    if (first === "pods" && second !== "") return undefined;
    return { plural: first, namespace: "", name: second };
  }
  if (first === "namespaces" && third === "pods" && parts.length <= 4) return { plural: "pods", namespace: second, name: fourth };
  return undefined;
}

/** The list of its resources is what the API server reads of it while a cluster starts; the other documents are for clients. */
function serveDiscovery(call: Call): boolean {
  if (call.path.replace(/\/$/, "") !== root) return lateMetrics.code.serveGroups(call);
  const { request, responder, headers, query } = call;
  const document = apiResourceList(served, group, "v1beta1") ?? null;
  replyValue(responder, 200, document, negotiateOutput(request.headers, query), headers);
  return true;
}
