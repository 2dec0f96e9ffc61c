// What becomes of a custom resource's document before anything else looks at it, as decoding does for built-in types: unknown
// fields are dropped and named, nulls that may not be are dropped, metadata is read as metadata, there and in embedded resources
// (apiextensions-apiserver, pkg/apiserver/schema/{pruning,defaulting,objectmeta}).

import { DecodeError, decodeObject } from "#cluster/api/decode.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { isList, isObject, type JsonObject } from "#cluster/api/wire.ts";
import {
  additionalOf,
  allowsAdditional,
  asResource,
  itemsOf,
  mapFields,
  mapItems,
  propertyOf,
  resourceFields,
  type Schema,
  schemaOfField,
} from "./structural-schema.ts";

export interface Coerced {
  readonly value: JsonObject;
  /** Paths of what was dropped, `spec.replcas`. */
  readonly unknownFields: readonly string[];
}

/** Reads a whole custom resource. Throws DecodeError for metadata that is none. */
export function coerce(value: JsonObject, schema: Schema | undefined, preservesUnknown = false): Coerced {
  for (const name of ["kind", "apiVersion"]) {
    const given = value[name];
    if (given !== undefined && typeof given !== "string") throw new DecodeError(wrongType(given, name));
  }
  const root = asResource(schema);
  const unknownFields: string[] = [];
  const withMetadata = coerceMetadata(value, "", unknownFields);
  const kept = preservesUnknown ? withMetadata : withoutNulls(prune(withMetadata, root), root);
  return { value: coerceEmbedded(kept, root, "", unknownFields, true) as JsonObject, unknownFields };

  function prune(object: JsonObject, of: Schema): JsonObject {
    const pruned: string[] = [];
    const result = pruneValue(object, of, "", pruned) as JsonObject;
    unknownFields.push(...pruned.sort());
    return result;
  }
}

function wrongType(given: JsonValue, name: string): string {
  return `.${name} accessor error: ${goValueText(given)} is of the type ${goTypeOf(given)}, expected string`;
}

function goValueText(value: JsonValue): string {
  if (value === null) return "<nil>";
  return typeof value === "object" ? jsonText(value) : String(value);
}

/** How Go calls what its decoder made of a JSON value. */
export function goTypeOf(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "bigint") return "int64";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  return isList(value) ? "[]interface {}" : "map[string]interface {}";
}

function at(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** Without the fields that the schema does not know; `unknown` gets their paths. */
export function pruneValue(value: JsonValue, schema: Schema | undefined, path: string, unknown: string[]): JsonValue {
  if (schema?.["x-kubernetes-preserve-unknown-fields"] === true) return prunePreserved(value, schema, path, unknown);
  if (isList(value)) return mapItems(value, (item, index) => pruneValue(item, itemsOf(schema), `${path}[${index}]`, unknown));
  if (!isObject(value)) return value;
  const isResource = schema?.["x-kubernetes-embedded-resource"] === true;
  return mapFields(value, (field, name) => {
    if (isResource && resourceFields.has(name)) return field;
    const property = propertyOf(schema, name);
    if (property !== undefined) return pruneValue(field, property, at(path, name), unknown);
    if (allowsAdditional(schema)) return pruneValue(field, additionalOf(schema), at(path, name), unknown);
    if (!resourceFields.has(name) || path !== "") unknown.push(at(path, name));
    return undefined;
  });
}

/** Below `x-kubernetes-preserve-unknown-fields` only what has a schema is looked at. */
function prunePreserved(value: JsonValue, schema: Schema | undefined, path: string, unknown: string[]): JsonValue {
  if (schema === undefined) return value;
  if (isList(value)) {
    return mapItems(value, (item, index) => prunePreserved(item, itemsOf(schema), `${path}[${index}]`, unknown));
  }
  if (!isObject(value)) return value;
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  return mapFields(value, (field, name) => {
    if (isResource && resourceFields.has(name)) return field;
    const property = propertyOf(schema, name);
    if (property !== undefined) return pruneValue(field, property, at(path, name), unknown);
    return allowsAdditional(schema) ? pruneValue(field, additionalOf(schema), at(path, name), unknown) : field;
  });
}

/** Without nulls that are neither nullable nor replaced by a default. */
function withoutNulls(value: JsonObject, schema: Schema | undefined): JsonObject {
  return mapFields(value, (field, name) => {
    const of = schemaOfField(schema, name);
    if (field === null && of !== undefined && of.nullable !== true && of.default === undefined) return undefined;
    return withoutNullsBelow(field, of);
  });
}

function withoutNullsBelow(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (isObject(value)) return withoutNulls(value, schema);
  return isList(value) ? mapItems(value, (item) => withoutNullsBelow(item, itemsOf(schema))) : value;
}

/** Metadata as ObjectMeta has it. Throws DecodeError. */
function coerceMetadata(value: JsonObject, path: string, unknown: string[]): JsonObject {
  const { metadata } = value;
  if (metadata === undefined) return value;
  if (metadata === null) return { ...value, metadata: {} };
  const { value: decoded, strictErrors } = decodeObject("ObjectMeta", metadata);
  for (const text of strictErrors) {
    const name = /^unknown field "(.*)"$/.exec(text)?.[1];
    if (name !== undefined) unknown.push(at(path, `metadata.${name}`));
  }
  return decoded === metadata ? value : { ...value, metadata: decoded };
}

/** Type and metadata of embedded resources. Throws DecodeError. */
function coerceEmbedded(value: JsonValue, schema: Schema | undefined, path: string, unknown: string[], isRoot = false): JsonValue {
  if (schema === undefined) return value;
  if (isList(value)) {
    return mapItems(value, (item, index) => coerceEmbedded(item, itemsOf(schema), `${path}[${index}]`, unknown));
  }
  if (!isObject(value)) return value;
  const isResource = !isRoot && schema["x-kubernetes-embedded-resource"] === true;
  if (isResource) {
    for (const name of ["apiVersion", "kind"]) {
      const given = value[name];
      if (given === undefined || typeof given === "string") continue;
      throw new DecodeError(`${at(path, name)}: Invalid value: ${jsonText(given)}: must be string`);
    }
  }
  const whole = isResource ? coerceMetadata(value, path, unknown) : value;
  return mapFields(whole, (field, name) => {
    const of = schemaOfField(schema, name);
    return of === undefined ? field : coerceEmbedded(field, of, at(path, name), unknown);
  });
}
