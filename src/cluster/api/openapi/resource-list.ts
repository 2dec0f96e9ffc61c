// The resources of a group version, as discovery lists them: the one document of it that servers read of each other while a cluster starts.

import { sha256 } from "@noble/hashes/sha2.js";
import { encodeUtf8 } from "#sim/bytes.ts";
import { compareBytes } from "../json-write.ts";
import type { JsonObject } from "../wire.ts";
import type { ServedResource, ServedSubresource } from "./served.ts";

/** GET /api/v1 and /apis/<group>/<version>; undefined when that is not served. */
export function apiResourceList(resources: readonly ServedResource[], group: string, version: string): JsonObject | undefined {
  const own = resources.filter((resource) => resource.group === group && resource.version === version);
  if (own.length === 0) return undefined;
  const entries = [...own]
    .sort((a, b) => compareBytes(a.plural, b.plural))
    .flatMap((resource) => [
      resourceEntry(resource),
      ...subresourcesOf(resource).map((subresource) => subresourceEntry(resource, subresource)),
    ]);
  return {
    kind: "APIResourceList",
    ...(group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: group === "" ? version : `${group}/${version}`,
    resources: entries,
  };
}

/** Of custom resources the status comes first. */
function subresourcesOf({ subresources, typeName }: ServedResource): readonly ServedSubresource[] {
  const sign = typeName === undefined ? -1 : 1;
  return [...subresources].sort((a, b) => sign * compareBytes(a.name, b.name));
}

function resourceEntry(resource: ServedResource): JsonObject {
  return {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: verbsOf(resource),
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
    ...(resource.verbs.includes("get") && resource.verbs.includes("create") ? { storageVersionHash: storageHash(resource) } : {}),
  };
}

function subresourceEntry(resource: ServedResource, subresource: ServedSubresource): JsonObject {
  return {
    name: `${resource.plural}/${subresource.name}`,
    singularName: "",
    namespaced: resource.namespaced,
    ...(subresource.group === undefined ? {} : { group: subresource.group }),
    ...(subresource.version === undefined ? {} : { version: subresource.version }),
    kind: subresource.kind,
    verbs: sortedVerbs(subresource.verbs),
  };
}

/** In the order of apiextensions-apiserver's discovery. */
const customVerbs: readonly string[] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

export function verbsOf({ typeName, verbs }: ServedResource): readonly string[] {
  return typeName === undefined ? customVerbs.filter((verb) => verbs.includes(verb)) : sortedVerbs(verbs);
}

export function sortedVerbs(verbs: readonly string[]): readonly string[] {
  return [...verbs].sort();
}

/** The first eight bytes of the digest of the type that is stored (apiserver's StorageVersionHash). */
function storageHash(resource: ServedResource): string {
  const { group, version, kind } = resource.storedAs ?? resource;
  return btoa(String.fromCharCode(...sha256(encodeUtf8(`${group}/${version}/${kind}`)).subarray(0, 8)));
}
