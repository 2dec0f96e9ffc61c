// One object on its way through kustomizations.

import { podSpecPaths } from "#cluster/api/pod-templates.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { arrayAt, isArray, isObject, type JsonObject, textAt, valueAt, withValue } from "../documents.ts";

export interface Resource {
  readonly object: JsonObject;
  /** The name in the file or generator that it came from. */
  readonly originalName: string;
  /** Generated: the name gets a hash of the content in the end. */
  readonly needsHash: boolean;
}

export function kindOf({ object }: Resource): string {
  return textAt(object, "kind");
}

export function nameOf({ object }: Resource): string {
  return textAt(object, "metadata", "name");
}

export function withObject(resource: Resource, object: JsonObject): Resource {
  return object === resource.object ? resource : { ...resource, object };
}

export function renamed(resource: Resource, name: string): Resource {
  return withObject(resource, withValue(resource.object, ["metadata", "name"], name));
}

/** `ConfigMap.v1.[noGrp]/settings.[noNs]` */
export function idOf({ object }: Resource): string {
  const [version = "", group = "[noGrp]"] = textAt(object, "apiVersion").split("/").reverse();
  const namespace = textAt(object, "metadata", "namespace") || "[noNs]";
  return `${textAt(object, "kind")}.${version}.${group}/${textAt(object, "metadata", "name")}.${namespace}`;
}

/** Adds entries to a map at a path; with `create` false only where the map is. */
export function withEntries(object: JsonObject, path: readonly string[], entries: JsonObject, create = true): JsonObject {
  const current = valueAt(object, ...path);
  if (Object.keys(entries).length === 0 || (current === undefined && !create)) return object;
  return withValue(object, path, { ...(isObject(current) ? current : {}), ...entries });
}

/** Every container of an object, changed. */
export function mapContainers(resource: Resource, change: (container: JsonObject) => JsonObject): Resource {
  const path = podSpecPaths[kindOf(resource)];
  if (path === undefined) return resource;
  let { object } = resource;
  for (const list of ["containers", "initContainers"]) {
    if (!isArray(valueAt(object, ...path, list))) continue;
    const next: readonly JsonValue[] = arrayAt(object, ...path, list).map((one) => (isObject(one) ? change(one) : one));
    object = withValue(object, [...path, list], next);
  }
  return withObject(resource, object);
}
