// Defaults of structural schemas: of properties that are absent, or null without being nullable
// (apiextensions-apiserver, pkg/apiserver/schema/defaulting/algorithm.go).

import type { JsonValue } from "#cluster/api/objects.ts";
import { isList, isObject, type JsonObject } from "#cluster/api/wire.ts";
import { additionalOf, itemsOf, mapFields, mapItems, propertyOf, type Schema, setOwn } from "./structural-schema.ts";

/** `value` with the defaults that apply; the same value when none does. */
export function withDefaults(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (schema === undefined) return value;
  if (isObject(value)) return objectWithDefaults(value, schema);
  return isList(value) ? mapItems(value, (item) => withDefaults(replaced(item, itemsOf(schema)), itemsOf(schema))) : value;
}

function objectWithDefaults(object: JsonObject, schema: Schema): JsonObject {
  let filled: { [name: string]: JsonValue } | undefined;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default === undefined || property.default === null) continue;
    const isSet = Object.hasOwn(object, name) && !(object[name] === null && property.nullable !== true);
    if (isSet) continue;
    filled ??= { ...object };
    setOwn(filled, name, property.default);
  }
  const additional = additionalOf(schema);
  return mapFields(filled ?? object, (field, name) => {
    const property = propertyOf(schema, name);
    if (property !== undefined) return withDefaults(field, property);
    return additional === undefined ? field : withDefaults(replaced(field, additional), additional);
  });
}

/** A null that may not be one gives way to the default of its place. */
function replaced(value: JsonValue, schema: Schema | undefined): JsonValue {
  return value === null && schema !== undefined && schema.nullable !== true ? (schema.default ?? null) : value;
}
