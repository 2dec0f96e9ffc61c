// A custom resource's schema as the documents publish it: embedded resources get the fields that every object has, and
// version 2 loses what it cannot say and what kubectl's validation would misread (apiextensions' controller/openapi).

import type { JsonObject, JsonValue } from "../wire.ts";
import type { Dialect } from "./dialect.ts";

/** The schema of the whole object; `objectFields` are the schemas of apiVersion, kind and metadata. */
export function publishedSchema(schema: JsonObject, dialect: Dialect, objectFields: JsonObject): JsonObject {
  // Where anything may stand in the object, properties would make clients take all else for a mistake.
  if (dialect === "v2" && schema["x-kubernetes-preserve-unknown-fields"] === true) return { type: "object" };
  const published = publishedPart(schema, dialect, objectFields);
  return { ...published, properties: { ...objectAt(published, "properties"), ...objectFields } };
}

function publishedPart(schema: JsonObject, dialect: Dialect, objectFields: JsonObject): JsonObject {
  const part = dialect === "v2" ? inVersion2(schema) : schema;
  const { properties, items, additionalProperties } = part;
  const inner = (value: JsonValue): JsonValue => (isObject(value) ? publishedPart(value, dialect, objectFields) : value);
  const all = {
    ...part,
    ...(isObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, inner(value)])) }
      : {}),
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: inner(additionalProperties) }),
  };
  return part["x-kubernetes-embedded-resource"] === true ? embedded(all, dialect, objectFields) : all;
}

function embedded(schema: JsonObject, dialect: Dialect, objectFields: JsonObject): JsonObject {
  if (dialect === "v2" && schema["x-kubernetes-preserve-unknown-fields"] === true) return schema;
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const missing = ["kind", "apiVersion"].filter((name) => !required.includes(name));
  return {
    ...schema,
    properties: { ...objectAt(schema, "properties"), ...objectFields },
    required: [...required, ...missing],
  };
}

/** Version 2 knows neither junctors nor null; kubectl stumbles over fields beside unknown ones and over lists of nothing. */
function inVersion2(schema: JsonObject): JsonObject {
  const { allOf: _allOf, oneOf: _oneOf, anyOf: _anyOf, not: _not, nullable, ...kept } = schema;
  const isUnknown = kept["x-kubernetes-preserve-unknown-fields"] === true;
  const part = withoutNullables(kept);
  if (nullable === true) return without(part, ["type", "items", "properties"]);
  const bare = isUnknown ? without(part, ["items", "properties"]) : part;
  const isUntyped = (bare["type"] === "array" && bare["items"] === undefined) || (isUnknown && bare["type"] === "object");
  return isUntyped ? without(bare, ["type"]) : bare;
}

/** What may be null is not required. */
function withoutNullables(schema: JsonObject): JsonObject {
  const { required } = schema;
  if (!Array.isArray(required)) return schema;
  const properties = objectAt(schema, "properties");
  const left = isNullable(schema["additionalProperties"])
    ? []
    : required.filter((name) => typeof name !== "string" || !isNullable(properties[name]));
  if (left.length === required.length) return schema;
  return left.length === 0 ? without(schema, ["required"]) : { ...schema, required: left };
}

function without(schema: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
}

function isNullable(value: JsonValue | undefined): boolean {
  return isObject(value) && value["nullable"] === true;
}

function objectAt(value: JsonObject, name: string): JsonObject {
  const field = value[name];
  return isObject(field) ? field : {};
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
