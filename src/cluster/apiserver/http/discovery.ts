// Discovery: which groups, versions, resources and verbs there are; the older documents one by one, the newer all at once.

import { fnv32a } from "#cluster/api/equality.ts";
import { groupVersionOf, type JsonValue } from "#cluster/api/objects.ts";
import type { ResourceDefinition, SubresourceEntry } from "#cluster/resources/definition.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpCall } from "./call.ts";
import { parseAccept } from "./negotiation.ts";
import { jsonText } from "./writing.ts";

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

/** Answers a discovery path; false when there is nothing at it. */
export function discoveryDocument(call: HttpCall, path: string): boolean {
  const definitions = call.server.registry.all;
  const aggregated = (path === "/api" || path === "/apis") && wantsAggregated(call);
  if (aggregated) return replyAggregated(call, definitions, path === "/api");
  const document = legacyDocument(definitions, path, call);
  if (document === undefined) return false;
  const text = jsonText(document, false);
  call.responder.reply(200, { ...call.headers, "content-type": "application/json" }, encodeUtf8(`${text}\n`));
  return true;
}

function wantsAggregated(call: HttpCall): boolean {
  for (const { type, parameters } of parseAccept(call.request.headers["accept"] ?? "")) {
    if (type !== "application/json" && type !== "*/*" && type !== "application/*") continue;
    if (parameters.get("as") === undefined) return false;
    if (
      parameters.get("as") === "APIGroupDiscoveryList" &&
      parameters.get("g") === "apidiscovery.k8s.io" &&
      parameters.get("v") === "v2"
    ) {
      return true;
    }
  }
  return false;
}

function replyAggregated(call: HttpCall, definitions: readonly ResourceDefinition[], core: boolean): true {
  const groups = sortedGroups(definitions).filter((group) => (group === "") === core);
  const document: JsonValue = {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map((group) => aggregatedGroup(definitions, group)),
  };
  const text = jsonText(document, false);
  const etag = `"${fnv32a(text).toString(16).padStart(8, "0").toUpperCase()}"`;
  const headers = { ...call.headers, "content-type": aggregatedType, etag, vary: "Accept" };
  if (call.request.headers["if-none-match"] === etag) call.responder.reply(304, headers, encodeUtf8(""));
  else call.responder.reply(200, headers, encodeUtf8(`${text}\n`));
  return true;
}

function aggregatedGroup(definitions: readonly ResourceDefinition[], group: string): JsonValue {
  return {
    metadata: { ...(group === "" ? {} : { name: group }), creationTimestamp: null },
    versions: versionsOf(definitions, group).map((version) => ({
      version,
      resources: resourcesOf(definitions, group, version).map(aggregatedResource),
      freshness: "Current",
    })),
  };
}

function aggregatedResource(definition: ResourceDefinition): JsonValue {
  const { group, version, kind, plural, singular, shortNames, categories } = definition;
  const subresources = (definition.subresources ?? []).map((entry) => ({
    subresource: entry.name,
    responseKind: { group: entry.group ?? group, version: entry.version ?? version, kind: entry.kind },
    verbs: entry.verbs,
  }));
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: definition.namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs: definition.verbs,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

function legacyDocument(definitions: readonly ResourceDefinition[], path: string, call: HttpCall): JsonValue | undefined {
  const address = [{ clientCIDR: "0.0.0.0/0", serverAddress: call.server.advertisedAddress }];
  if (path === "/api") return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: address };
  if (path === "/api/v1") return resourceList(definitions, "", "v1");
  const groups = sortedGroups(definitions).filter((group) => group !== "");
  if (path === "/apis") {
    return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map((group) => legacyGroup(definitions, group)) };
  }
  const [, prefix, group = "", version, more] = path.split("/");
  if (prefix !== "apis" || more !== undefined || !groups.includes(group)) return undefined;
  if (version === undefined) {
    return { kind: "APIGroup", apiVersion: "v1", ...legacyGroup(definitions, group) };
  }
  return versionsOf(definitions, group).includes(version) ? resourceList(definitions, group, version) : undefined;
}

function legacyGroup(definitions: readonly ResourceDefinition[], group: string): { readonly [field: string]: JsonValue } {
  const versions = versionsOf(definitions, group).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions, preferredVersion: versions[0] ?? null };
}

function resourceList(definitions: readonly ResourceDefinition[], group: string, version: string): JsonValue {
  const resources = resourcesOf(definitions, group, version).flatMap((definition) => [
    legacyResource(definition),
    ...(definition.subresources ?? []).map((entry) => legacySubresource(definition, entry)),
  ]);
  return {
    kind: "APIResourceList",
    ...(group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: groupVersionOf({ group, version }),
    resources,
  };
}

function legacyResource(definition: ResourceDefinition): JsonValue {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = definition;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
  };
}

function legacySubresource(definition: ResourceDefinition, entry: SubresourceEntry): JsonValue {
  return {
    name: `${definition.plural}/${entry.name}`,
    singularName: "",
    namespaced: definition.namespaced,
    ...(entry.version === undefined ? {} : { group: entry.group ?? "", version: entry.version }),
    kind: entry.kind,
    verbs: entry.verbs,
  };
}

function sortedGroups(definitions: readonly ResourceDefinition[]): readonly string[] {
  const groups = [...new Set(definitions.map((definition) => definition.group))];
  const position = (group: string): number => (groupOrder.includes(group) ? groupOrder.indexOf(group) : groupOrder.length);
  return groups.sort((a, b) => position(a) - position(b) || (a < b ? -1 : 1));
}

/** Preferred version first: stable before beta before alpha, higher before lower. */
function versionsOf(definitions: readonly ResourceDefinition[], group: string): readonly string[] {
  const versions = new Set(definitions.filter((definition) => definition.group === group).map((definition) => definition.version));
  return [...versions].sort((a, b) => versionRank(b) - versionRank(a));
}

function versionRank(version: string): number {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return -1;
  const stability = match[2] === undefined ? 2 : match[2] === "beta" ? 1 : 0;
  return stability * 1_000_000 + Number(match[1]) * 1000 + Number(match[3] ?? 0);
}

function resourcesOf(definitions: readonly ResourceDefinition[], group: string, version: string): readonly ResourceDefinition[] {
  return definitions
    .filter((definition) => definition.group === group && definition.version === version)
    .sort((a, b) => (a.plural < b.plural ? -1 : 1));
}
