// Discovery: which groups, versions and resources there are, in the form that the client asks for.

import type { JsonValue } from "#cluster/api/objects.ts";
import { aggregatedDiscovery, apiGroup, apiGroupList, apiVersions, otherApiGroup } from "#cluster/api/openapi/discovery.ts";
import { apiResourceList } from "#cluster/api/openapi/resource-list.ts";
import type { ServedResource } from "#cluster/api/openapi/served.ts";
import { isList, isObject, type JsonObject } from "#cluster/api/wire.ts";
import { compareVersions } from "#cluster/resources/apiextensions/versions.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import { groupPriority } from "../aggregation/priorities.ts";
import { serveRemote } from "../aggregation/serve-remote.ts";
import type { HttpCall } from "./call.ts";
import { documentOf, replyDocument, ServedDocuments } from "./documents.ts";
import { serveIssuer } from "./issuer-discovery.ts";
import { negotiateOutput, notAcceptable, parseAccept } from "./negotiation.ts";
import { serveOpenApi } from "./openapi.ts";
import type { ServedApi } from "./served-api.ts";
import { replyValue } from "./writing.ts";

/** Before all others: what is no group, and the aggregator's own. */
const firstGroups = ["", "apiregistration.k8s.io"];

const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Answers a discovery or OpenAPI path; false when there is nothing at it. */
export function serveDiscovery(call: HttpCall, path: string): boolean {
  if (serveIssuer(call, path)) return true;
  const served = servedBy(call.server);
  if (path.startsWith("/openapi/")) return serveOpenApi(call, served, path);
  const { remotes } = call.server.apiServices;
  const [, root, group = "", version = ""] = path.split("/");
  const remote = root === "apis" && remotes.length > 0 ? call.server.apiServices.remoteOf(group, version) : undefined;
  if (remote !== undefined) {
    serveRemote(call, remote);
    return true;
  }
  const wanted = path === "/api" || path === "/apis" ? aggregatedWish(call) : undefined;
  if ((path === "/api" || path === "/apis") && wanted !== undefined) {
    const own = aggregatedDiscovery(served.resources, path, remotes);
    const document = documentOf(path === "/apis" && wanted.withPeers ? withPeers(call, own) : own);
    replyDocument(call, document, { "content-type": aggregatedType, "cache-control": "public", vary: "Accept" });
    return true;
  }
  const document = legacyDocument(call, served.resources, path);
  if (document === undefined) return false;
  const format = negotiateOutput(call.request.headers, call.info.query);
  if (format.as !== "object") throw notAcceptable();
  replyValue(call.responder, 200, document, format, call.headers);
  return true;
}

const known = new WeakMap<ServedApi, ServedDocuments>();

/** What a server serves now; documents made of it are kept until kinds come or go. */
function servedBy(server: ServedApi): ServedDocuments {
  const before = known.get(server);
  const definitions = server.served;
  if (before?.isOf(definitions) === true) return before;
  const served = new ServedDocuments(definitions, servedResources(definitions, server), server.simulation.nowMs);
  known.set(server, served);
  return served;
}

/** Definitions as documents list them, by group and within it by version, best first. */
function servedResources(definitions: readonly ResourceDefinition[], { registry }: ServedApi): readonly ServedResource[] {
  const served = definitions.map((definition): ServedResource => {
    const { group, version, plural, singular, kind, namespaced, verbs } = definition;
    return {
      ...{ group, version, plural, singular, kind, namespaced, verbs },
      shortNames: definition.shortNames ?? [],
      categories: definition.categories ?? [],
      subresources: definition.subresources ?? [],
      ...(definition.schemaType === undefined
        ? { schema: definition.openApiSchema, listKind: definition.listKind ?? `${kind}List` }
        : { typeName: definition.schemaType }),
      ...(definition.returnsDeleted === true ? { returnsDeleted: true } : {}),
      ...storedAs(definition),
    };
  });
  return served.sort((a, b) => compareGroups(a.group, b.group) || compareVersions(a.version, b.version));

  function storedAs(definition: ResourceDefinition): Pick<ServedResource, "storedAs"> {
    const { group, kind, encodedVersion } = definition;
    if (encodedVersion !== undefined) return { storedAs: { group, version: encodedVersion, kind } };
    if (definition.toStorage === undefined) return {};
    const table = registry.storageOf(definition);
    const stored = definitions.find((other) => other.toStorage === undefined && registry.storageOf(other) === table);
    return stored === undefined ? {} : { storedAs: stored };
  }
}

/** By their priority with the aggregator, equal ones by name. */
function compareGroups(a: string, b: string): number {
  const priority = (group: string): number => {
    const position = firstGroups.indexOf(group);
    return position < 0 ? groupPriority(group) : Number.MAX_SAFE_INTEGER - position;
  };
  return priority(b) - priority(a) || compareTexts(a, b);
}

/** What the other servers of the cluster serve beside this one is listed, too: requests for it go on to them. */
function withPeers({ server: { peers } }: HttpCall, own: JsonObject): JsonObject {
  const { items } = own;
  return peers === undefined || !isList(items) ? own : { ...own, items: peers.merged(items.filter(isObject)) as JsonValue };
}

/** Of the formats that the client accepts, the first that there is decides; `profile=nopeer` asks for this server alone. Undefined: another form. */
function aggregatedWish(call: HttpCall): { readonly withPeers: boolean } | undefined {
  for (const { type, parameters } of parseAccept(call.request.headers["accept"] ?? "")) {
    if (type !== "application/json" && type !== "*/*" && type !== "application/*") continue;
    const as = parameters.get("as");
    if (as === undefined) return undefined;
    if (as === "APIGroupDiscoveryList" && parameters.get("g") === "apidiscovery.k8s.io" && parameters.get("v") === "v2")
      return { withPeers: parameters.get("profile") !== "nopeer" };
  }
  return undefined;
}

function legacyDocument(call: HttpCall, served: readonly ServedResource[], path: string): JsonValue | undefined {
  if (path === "/api") return apiVersions(call.server.advertisedAddress);
  if (path === "/apis") return apiGroupList(served, call.server.apiServices.remotes);
  const [, prefix, first = "", second, more] = path.split("/");
  if (prefix === "api") return second === undefined ? apiResourceList(served, "", first) : undefined;
  if (prefix !== "apis" || more !== undefined || first === "") return undefined;
  if (second !== undefined) return apiResourceList(served, first, second);
  return apiGroup(served, first) ?? otherApiGroup(call.server.apiServices.remotes, first);
}
