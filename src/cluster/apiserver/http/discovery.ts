// Discovery and OpenAPI: the documents of `api/openapi`, made of what the registry serves.

import { fnv32a } from "#cluster/api/equality.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  staleApiGroup,
} from "#cluster/api/openapi/discovery.ts";
import { openApiV2, openApiV3, openApiV3Index } from "#cluster/api/openapi/documents.ts";
import type { ServedResource } from "#cluster/api/openapi/served.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { encodeUtf8, noBytes } from "#sim/bytes.ts";
import type { HttpHeaders } from "#sim/http.ts";
import type { HttpCall } from "./call.ts";
import { parseAccept } from "./negotiation.ts";
import { versionInfo } from "./version.ts";
import { jsonText, replyText } from "./writing.ts";

/** Groups in the order of their priority with the aggregator; groups not listed follow by name. */
const groupOrder = [
  "",
  "apiregistration.k8s.io",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
  "discovery.k8s.io",
  "resource.k8s.io",
  "flowcontrol.apiserver.k8s.io",
];

const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Answers a discovery or OpenAPI path; false when there is nothing at it. */
export function serveDiscovery(call: HttpCall, path: string): boolean {
  const served = servedResources(call.server.registry.all);
  const { remotes } = call.server.apiServices;
  const [, root, group = "", version = ""] = path.split("/");
  if (root === "apis" && remotes.some((remote) => remote.group === group && remote.version === version)) {
    replyText(call.responder, 503, "service unavailable\n", call.headers);
    return true;
  }
  if ((path === "/api" || path === "/apis") && wantsAggregated(call)) {
    return reply(call, aggregatedDiscovery(served, path, remotes), { "content-type": aggregatedType, vary: "Accept" });
  }
  const document = path.startsWith("/openapi") ? openApiDocument(call, served, path) : legacyDocument(call, served, path);
  return document === undefined ? false : reply(call, document, { "content-type": "application/json" });
}

/** Definitions as documents list them, by group and within it by version, best first. */
function servedResources(definitions: readonly ResourceDefinition[]): readonly ServedResource[] {
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
    };
  });
  return served.sort((a, b) => compareGroups(a.group, b.group) || versionRank(b.version) - versionRank(a.version));
}

function compareGroups(a: string, b: string): number {
  const position = (group: string): number => (groupOrder.includes(group) ? groupOrder.indexOf(group) : groupOrder.length);
  return position(a) - position(b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Stable before beta before alpha, higher before lower. */
function versionRank(version: string): number {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return -1;
  const stability = match[2] === undefined ? 2 : match[2] === "beta" ? 1 : 0;
  return stability * 1_000_000 + Number(match[1]) * 1000 + Number(match[3] ?? 0);
}

/** Of the formats that the client accepts, the first that there is decides. */
function wantsAggregated(call: HttpCall): boolean {
  for (const { type, parameters } of parseAccept(call.request.headers["accept"] ?? "")) {
    if (type !== "application/json" && type !== "*/*" && type !== "application/*") continue;
    const as = parameters.get("as");
    if (as === undefined) return false;
    if (as === "APIGroupDiscoveryList" && parameters.get("g") === "apidiscovery.k8s.io" && parameters.get("v") === "v2")
      return true;
  }
  return false;
}

function legacyDocument(call: HttpCall, served: readonly ServedResource[], path: string): JsonValue | undefined {
  if (path === "/api") return apiVersions(call.server.advertisedAddress);
  if (path === "/apis") return apiGroupList(served, call.server.apiServices.remotes);
  const [, prefix, first = "", second, more] = path.split("/");
  if (prefix === "api") return second === undefined ? apiResourceList(served, "", first) : undefined;
  if (prefix !== "apis" || more !== undefined || first === "") return undefined;
  if (second !== undefined) return apiResourceList(served, first, second);
  return apiGroup(served, first) ?? staleApiGroup(call.server.apiServices.remotes, first);
}

function openApiDocument(call: HttpCall, served: readonly ServedResource[], path: string): JsonValue | undefined {
  const { docs } = call.server;
  if (path === "/openapi/v2") return openApiV2(served, docs, versionInfo.gitVersion);
  const hash = fnv32a(served.map(({ group, version, plural }) => `${group}/${version}/${plural}`).join()).toString(16);
  if (path === "/openapi/v3")
    return openApiV3Index(served, (groupVersion) => `${hash}${fnv32a(groupVersion).toString(16)}`.toUpperCase());
  const prefix = "/openapi/v3/";
  return path.startsWith(prefix) ? openApiV3(served, path.slice(prefix.length), docs, versionInfo.gitVersion) : undefined;
}

/** With an ETag, so that clients can ask whether anything has changed. */
function reply(call: HttpCall, document: JsonValue, headers: HttpHeaders): true {
  const text = jsonText(document, false);
  const etag = `"${fnv32a(text).toString(16).padStart(8, "0").toUpperCase()}"`;
  const all = { ...call.headers, ...headers, etag };
  const known = call.request.headers["if-none-match"] === etag;
  if (known) call.responder.reply(304, all, noBytes);
  else call.responder.reply(200, all, encodeUtf8(`${text}\n`));
  return true;
}
