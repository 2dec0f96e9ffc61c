// Discovery: which groups, versions and resources the server has, in the two forms that clients ask for.

import { compareBytes } from "../json-write.ts";
import type { JsonObject } from "../wire.ts";
import { sortedVerbs, verbsOf } from "./resource-list.ts";
import type { ServedResource, ServedSubresource } from "./served.ts";

/** A group version of another server. */
export interface OtherVersion {
  readonly group: string;
  readonly version: string;
  /** Entries of aggregated discovery; undefined when they are not known. */
  readonly resources: readonly JsonObject[] | undefined;
  readonly freshness: "Current" | "Stale";
}

/** GET /api */
export function apiVersions(serverAddress: string): JsonObject {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** Versions of a group, the preferred one first: in the order of the list. */
function versionsOf(resources: readonly ServedResource[], group: string): readonly string[] {
  return [...new Set(resources.filter((resource) => resource.group === group).map(({ version }) => version))];
}

/** GET /apis/<group>; undefined when there is no such group. */
export function apiGroup(resources: readonly ServedResource[], group: string): JsonObject | undefined {
  const body = groupBody(resources, group);
  return body === undefined ? undefined : { kind: "APIGroup", apiVersion: "v1", ...body };
}

function groupBody(resources: readonly ServedResource[], group: string): JsonObject | undefined {
  const versions = versionsOf(resources, group).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  const [preferredVersion] = versions;
  return preferredVersion === undefined ? undefined : { name: group, versions, preferredVersion };
}

/** GET /apis/<group> of a group of other servers only. */
export function otherApiGroup(others: readonly OtherVersion[], group: string): JsonObject | undefined {
  const [body] = otherGroupBodies(others.filter((one) => one.group === group));
  return body === undefined ? undefined : { kind: "APIGroup", apiVersion: "v1", ...body };
}

function otherGroupBodies(others: readonly OtherVersion[]): readonly JsonObject[] {
  return [...new Set(others.map(({ group }) => group))].map((name) => {
    const versions = others
      .filter(({ group }) => group === name)
      .map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
    return { name, versions, preferredVersion: versions[0] as JsonObject };
  });
}

/** GET /apis */
export function apiGroupList(resources: readonly ServedResource[], others: readonly OtherVersion[] = []): JsonObject {
  const groups = [...new Set(resources.map(({ group }) => group))].filter((group) => group !== "");
  const bodies = groups.map((group) => groupBody(resources, group)).filter((body) => body !== undefined);
  return { kind: "APIGroupList", apiVersion: "v1", groups: [...bodies, ...otherGroupBodies(others)] };
}

/** GET /api and /apis with Accept `…;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`. */
export function aggregatedDiscovery(
  resources: readonly ServedResource[],
  root: "/api" | "/apis",
  others: readonly OtherVersion[] = [],
): JsonObject {
  const groups = [...new Set(resources.map(({ group }) => group))].filter((group) => (group === "") === (root === "/api"));
  const items = groups.map((group) => ({
    metadata: group === "" ? {} : { name: group },
    versions: versionsOf(resources, group).map((version) => ({
      version,
      resources: resources
        .filter((resource) => resource.group === group && resource.version === version)
        .sort((a, b) => compareBytes(a.plural, b.plural))
        .map(aggregatedResource),
      freshness: "Current",
    })),
  }));
  const otherGroups = root === "/api" ? [] : [...new Set(others.map(({ group }) => group))];
  const otherItems = otherGroups.map((name) => ({
    metadata: { name },
    versions: others.filter(({ group }) => group === name).map(otherVersion),
  }));
  const all = [...items, ...otherItems];
  return { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", metadata: {}, items: all };
}

function otherVersion({ version, resources, freshness }: OtherVersion): JsonObject {
  return resources === undefined ? { version, freshness } : { version, resources, freshness };
}

function aggregatedResource(resource: ServedResource): JsonObject {
  const { group, version, kind, subresources } = resource;
  return {
    resource: resource.plural,
    responseKind: { group, version, kind },
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: verbsOf(resource),
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
    ...(subresources.length === 0
      ? {}
      : { subresources: subresources.map((subresource) => aggregatedSubresource(resource, subresource)) }),
  };
}

function aggregatedSubresource(resource: ServedResource, subresource: ServedSubresource): JsonObject {
  return {
    subresource: subresource.name,
    responseKind: {
      group: subresource.group ?? resource.group,
      version: subresource.version ?? resource.version,
      kind: subresource.kind,
    },
    verbs: sortedVerbs(subresource.verbs),
  };
}
