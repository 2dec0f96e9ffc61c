// What metrics-server answers: health, discovery, and the metrics of nodes and pods to those whom the front proxy names.

import { methodNotAllowed, notFound, otherFailure } from "#cluster/api/errors.ts";
import { compileFieldSelector, parseFieldSelector } from "#cluster/api/fields.ts";
import type { Node, Pod } from "#cluster/api/generated/types.ts";
import { compileLabelSelector } from "#cluster/api/labels.ts";
import type { JsonValue, Stored } from "#cluster/api/objects.ts";
import { aggregatedDiscovery, apiGroup, apiGroupList, apiResourceList } from "#cluster/api/openapi/discovery.ts";
import type { ServedResource } from "#cluster/api/openapi/served.ts";
import { forbiddenResource } from "#cluster/apiserver/authorization/authorizer.ts";
import { negotiateOutput, parseAccept } from "#cluster/apiserver/http/negotiation.ts";
import { escapedJson, replyStatus, replyText, replyValue } from "#cluster/apiserver/http/writing.ts";
import { includeObjectOf } from "#cluster/apiserver/tables.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { HttpHandler, HttpRequest, HttpResponder } from "#sim/http.ts";
import { type HealthChecks, serveHealth } from "./health.ts";
import type { MetricStorage } from "./metric-storage.ts";
import * as resources from "./resources.ts";

export interface ApiOptions {
  readonly storage: MetricStorage;
  readonly health: HealthChecks;
  readonly nowMs: () => number;
  readonly nodes: () => Iterable<Stored<Node>>;
  /** Those that run. */
  readonly pods: () => Iterable<Stored<Pod>>;
}

interface Call {
  readonly request: HttpRequest;
  readonly responder: HttpResponder;
  readonly headers: { readonly [name: string]: string };
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A path below the group version. */
interface Target {
  readonly plural: "nodes" | "pods";
  readonly namespace: string;
  readonly name: string;
}

const { group } = resources;
const root = `/apis/${resources.groupVersion}`;
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

const verbOfMethod: { readonly [method: string]: string } = { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" };

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
  requireUser(call, target);
  if (target === undefined) {
    if (!serveDiscovery(call)) replyText(call.responder, 404, "404 page not found\n", call.headers);
    return;
  }
  const verb = verbOf(call, target);
  if (verb === "list") list(options, call, target);
  else if (verb === "get") get(options, call, target);
  else throw methodNotAllowed({ group, resource: target.plural }, verb);
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

function verbOf({ request, query }: Call, { name }: Target): string {
  const { method } = request;
  if (method !== "GET" && method !== "HEAD") return verbOfMethod[method] ?? asciiLowerCase(method);
  if (name !== "") return "get";
  return /^(1|t|true)$/i.test(query.get("watch") ?? "") ? "watch" : "list";
}

/** Throws Forbidden for a request that the front proxy has put no user's name on. */
function requireUser(call: Call, target: Target | undefined): void {
  if ((call.request.headers["x-remote-user"] ?? "") !== "") return;
  const user = { name: "system:anonymous", groups: ["system:unauthenticated"] };
  if (target === undefined) {
    const { method } = call.request;
    const cause = `User "system:anonymous" cannot ${asciiLowerCase(method)} path ${JSON.stringify(call.path)}`;
    throw otherFailure(403, "Forbidden", `forbidden: ${cause}`, {});
  }
  const { plural: resource, namespace, name } = target;
  throw forbiddenResource({ user, verb: verbOf(call, target), group, resource, subresource: "", namespace, name }, "");
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

function get(options: ApiOptions, call: Call, { plural, namespace, name }: Target): void {
  const metrics = plural === "nodes" ? oneNode(options, name) : onePod(options, namespace, name);
  reply(
    call,
    [metrics],
    () => resources.wireObject(metrics),
    (version) => resources.metadataOnly(metrics, version),
  );
}

/** Throws NotFound in the words of the cache of nodes, or of the storage of metrics. */
function oneNode({ storage, nodes, nowMs }: ApiOptions, name: string): resources.Metrics {
  for (const node of nodes()) {
    if (node.metadata.name !== name) continue;
    const metrics = resources.nodeMetrics(storage, node, nowMs());
    if (metrics === undefined) throw notFound({ group, resource: "nodemetrics" }, name);
    return metrics;
  }
  throw notFound({ group: "", resource: "node" }, name);
}

function onePod({ storage, pods, nowMs }: ApiOptions, namespace: string, name: string): resources.Metrics {
  for (const pod of pods()) {
    if (pod.metadata.name !== name || pod.metadata.namespace !== namespace) continue;
    const metrics = resources.podMetrics(storage, pod, nowMs());
    if (metrics === undefined) throw notFound({ group, resource: "podmetrics" }, `${namespace}/${name}`);
    return metrics;
  }
  throw notFound({ group: "", resource: "pods" }, name);
}

function list(options: ApiOptions, call: Call, { plural, namespace }: Target): void {
  const { storage, nowMs } = options;
  const isWanted = selectorOf(call.query, namespace);
  const now = nowMs();
  const items =
    plural === "nodes"
      ? measured(options.nodes(), isWanted, (node) => resources.nodeMetrics(storage, node, now))
      : measured(options.pods(), isWanted, (pod) => resources.podMetrics(storage, pod, now));
  const kind = plural === "nodes" ? "NodeMetrics" : "PodMetrics";
  reply(
    call,
    items,
    () => resources.wireList(kind, items),
    (version) => resources.metadataList(items, version),
  );
}

type Named = Pick<Stored<Pod>, "metadata">;

function measured<T extends Named>(
  objects: Iterable<T>,
  isWanted: (object: Named) => boolean,
  metricsOf: (object: T) => resources.Metrics | undefined,
): readonly resources.Metrics[] {
  return [...objects]
    .filter(isWanted)
    .sort(
      (a, b) =>
        compareTexts(a.metadata.namespace ?? "", b.metadata.namespace ?? "") || compareTexts(a.metadata.name, b.metadata.name),
    )
    .flatMap((object) => metricsOf(object) ?? []);
}

/** Throws SelectorError. */
function selectorOf(query: URLSearchParams, namespace: string): (object: Named) => boolean {
  const byLabels = compileLabelSelector(query.get("labelSelector") ?? "");
  const byFields = compileFieldSelector(parseFieldSelector(query.get("fieldSelector") ?? ""), ({ metadata }: Named, field) => {
    if (field === "metadata.name") return metadata.name;
    return field === "metadata.namespace" ? (metadata.namespace ?? "") : "";
  });
  return (object) =>
    (namespace === "" || object.metadata.namespace === namespace) && byLabels(object.metadata.labels) && byFields(object);
}

/** In the form that the client asks for. Throws NotAcceptable. */
function reply(
  { request, responder, headers, query }: Call,
  items: readonly resources.Metrics[],
  whole: () => JsonValue,
  metadata: (version: string) => JsonValue,
): void {
  const format = negotiateOutput(request.headers, query);
  const { as, metaVersion } = format;
  let value: JsonValue;
  if (as === "table") value = resources.tableOf(items, metaVersion, includeObjectOf(query));
  else value = as === "metadata" ? metadata(metaVersion) : whole();
  replyValue(responder, 200, value, format, headers);
}
