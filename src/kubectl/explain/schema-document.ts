// An OpenAPI v3 document as `kubectl explain` reads it: which schema a resource type has, and what a reference leads to.

import type { JsonValue } from "#cluster/api/wire.ts";
import { arrayAt, isObject, type JsonObject, objectAt, textAt, valueAt } from "../documents.ts";

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

const kindExtension = "x-kubernetes-group-version-kind";
const methods = ["get", "post", "put", "patch", "delete"];

/** The kind that the document's paths name for a resource type. */
export function kindOfResource(document: JsonValue, resource: GroupVersionResource): GroupVersionKind | undefined {
  const { group, version, plural } = resource;
  const root = `${group === "" ? "/api" : `/apis/${group}`}/${version}`;
  const collections = [`${root}/${plural}`, `${root}/namespaces/{namespace}/${plural}`];
  for (const path of collections.flatMap((collection) => [collection, `${collection}/{name}`])) {
    for (const method of methods) {
      const found = valueAt(document, "paths", path, method, kindExtension);
      if (found !== undefined) return kindFrom(found);
    }
  }
  return undefined;
}

function kindFrom(value: JsonValue): GroupVersionKind {
  return { group: textAt(value, "group"), version: textAt(value, "version"), kind: textAt(value, "kind") };
}

/** The schema of a kind, by name the first. */
export function schemaOfKind(document: JsonValue, wanted: GroupVersionKind): JsonObject | undefined {
  const schemas = objectAt(document, "components", "schemas");
  for (const name of Object.keys(schemas).sort()) {
    const schema = schemas[name];
    const kinds = arrayAt(schema, kindExtension).map(kindFrom);
    const isIt = kinds.some(
      ({ group, version, kind }) => group === wanted.group && version === wanted.version && kind === wanted.kind,
    );
    if (isIt && isObject(schema)) return schema;
  }
  return undefined;
}

export function referenceOf(schema: JsonObject): string {
  return textAt(schema, "$ref");
}

/** What a schema's reference leads to, or the schema itself. */
export function resolved(document: JsonValue, schema: JsonObject): JsonObject {
  const reference = referenceOf(schema);
  if (!reference.startsWith("#/")) return schema;
  const target = valueAt(document, ...reference.slice(2).split("/"));
  return isObject(target) ? target : schema;
}

/** The schema of a list's items or a map's values. */
export function elementOf(schema: JsonObject): { readonly items?: JsonObject; readonly values?: JsonObject } {
  const items = schema["items"];
  const values = schema["additionalProperties"];
  return { ...(isObject(items) ? { items } : {}), ...(isObject(values) ? { values } : {}) };
}

export function alternativesOf(schema: JsonObject): readonly JsonObject[] {
  return arrayAt(schema, "allOf").filter(isObject);
}
