// The metrics of nodes and pods as objects, lists, metadata and Tables, and refusals for those whom the front proxy does not name.

import { methodNotAllowed, notFound, otherFailure } from "#cluster/api/errors.ts";
import { compileFieldSelector, parseFieldSelector } from "#cluster/api/fields.ts";
import type { Pod } from "#cluster/api/generated/types.ts";
import { compileLabelSelector } from "#cluster/api/labels.ts";
import type { JsonValue, Stored } from "#cluster/api/objects.ts";
import { forbiddenResource } from "#cluster/apiserver/authorization/authorizer.ts";
import { negotiateOutput } from "#cluster/apiserver/http/negotiation.ts";
import { replyValue } from "#cluster/apiserver/http/writing.ts";
import { includeObjectOf } from "#cluster/apiserver/tables.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { ApiOptions, Call, Target } from "./api.ts";
import { group } from "./group.ts";
import * as resources from "./resources.ts";

const verbOfMethod: { readonly [method: string]: string } = { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" };

export function serveMetrics(options: ApiOptions, call: Call, target: Target): void {
  const verb = verbOf(call, target);
  if (verb === "list") list(options, call, target);
  else if (verb === "get") get(options, call, target);
  else throw methodNotAllowed({ group, resource: target.plural }, verb);
}

function verbOf({ request, query }: Call, { name }: Target): string {
  const { method } = request;
  if (method !== "GET" && method !== "HEAD") return verbOfMethod[method] ?? asciiLowerCase(method);
  if (name !== "") return "get";
  return /^(1|t|true)$/i.test(query.get("watch") ?? "") ? "watch" : "list";
}

/** Of a request that the front proxy has put no user's name on. */
export function refusal(call: Call, target: Target | undefined): Error {
  const user = { name: "system:anonymous", groups: ["system:unauthenticated"] };
  if (target === undefined) {
    const { method } = call.request;
    const cause = `User "system:anonymous" cannot ${asciiLowerCase(method)} path ${JSON.stringify(call.path)}`;
    return otherFailure(403, "Forbidden", `forbidden: ${cause}`, {});
  }
  const { plural: resource, namespace, name } = target;
  return forbiddenResource({ user, verb: verbOf(call, target), group, resource, subresource: "", namespace, name }, "");
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
