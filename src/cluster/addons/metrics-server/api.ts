// What metrics-server answers: health, discovery, and the metrics of nodes and pods to those whom the front proxy names.

import type { Node, Pod } from "#cluster/api/generated/types.ts";
import type { JsonValue, Stored } from "#cluster/api/objects.ts";
import { aggregatedDiscovery, apiGroup, apiGroupList, apiResourceList } from "#cluster/api/openapi/discovery.ts";
import type { ServedResource } from "#cluster/api/openapi/served.ts";
import { negotiateOutput, parseAccept } from "#cluster/apiserver/http/negotiation.ts";
import { escapedJson, replyStatus, replyText, replyValue } from "#cluster/apiserver/http/writing.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
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
const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const shared = {
  group,
  version: "v1beta1",
  singular: "",
  shortNames: [],
  categories: [],
  verbs: ["get", "list"],
  subresources: [],
};
const served: readonly ServedResource[] = [
  { ...shared, plural: "nodes", kind: "NodeMetrics", namespaced: false },
  { ...shared, plural: "pods", kind: "PodMetrics", namespaced: true },
];

const discoveryDocuments: ReadonlyMap<string, JsonValue | undefined> = new Map([
  ["/apis", apiGroupList(served)],
  [`/apis/${group}`, apiGroup(served, group)],
  [root, apiResourceList(served, group, "v1beta1")],
]);

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

function serveDiscovery(call: Call): boolean {
  const { request, responder, headers, query } = call;
  const path = call.path.replace(/\/$/, "");
  const isAggregated = parseAccept(request.headers["accept"] ?? "").some(
    ({ parameters }) => parameters.get("as") === "APIGroupDiscoveryList" && parameters.get("v") === "v2",
  );
  if (path === "/apis" && isAggregated) {
    const text = `${escapedJson(aggregatedDiscovery(served, "/apis"), false)}\n`;
    responder.reply(200, { ...headers, "content-type": aggregatedType }, encodeUtf8(text));
    return true;
  }
  const document = discoveryDocuments.get(path);
  if (document === undefined) return false;
  replyValue(responder, 200, document, negotiateOutput(request.headers, query), headers);
  return true;
}
