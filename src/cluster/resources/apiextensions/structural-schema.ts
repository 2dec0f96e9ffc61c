// How a structural schema (the openAPIV3Schema of a CustomResourceDefinition) is read. Properties that are JSON of any form on
// the wire, `items` and `additionalProperties`, are given their types here.

import type { JSONSchemaProps } from "#cluster/api/generated/types.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { isList, isObject, type JsonObject } from "#cluster/api/wire.ts";

export type Schema = JSONSchemaProps;

/** The schema of a list's items; a list of schemas is not structural and counts as none. */
export function itemsOf(schema: Schema | undefined): Schema | undefined {
  return isObject(schema?.items) ? (schema.items as Schema) : undefined;
}

/** The schema of a map's values. */
export function additionalOf(schema: Schema | undefined): Schema | undefined {
  return isObject(schema?.additionalProperties) ? (schema.additionalProperties as Schema) : undefined;
}

/** Whether a schema lets through fields that it does not name, with or without a schema for them. */
export function allowsAdditional(schema: Schema | undefined): boolean {
  return schema?.additionalProperties !== undefined && schema.additionalProperties !== false;
}

export function propertyOf(schema: Schema | undefined, name: string): Schema | undefined {
  const { properties } = schema ?? {};
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** What is known of an object's field: its property, or what holds for all further fields. */
export function schemaOfField(schema: Schema | undefined, name: string): Schema | undefined {
  return propertyOf(schema, name) ?? additionalOf(schema);
}

/** Fields that every resource has, at the root and in embedded ones. */
export const resourceFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** The schema of a whole resource: as an embedded one. */
export function asResource(schema: Schema | undefined): Schema {
  return schema?.["x-kubernetes-embedded-resource"] === true ? schema : { ...schema, "x-kubernetes-embedded-resource": true };
}

/** Whether `test` holds for the schema or anything in it. */
export function someSchema(schema: Schema | undefined, test: (schema: Schema) => boolean): boolean {
  if (schema === undefined) return false;
  if (test(schema)) return true;
  for (const inner of innerSchemas(schema)) if (someSchema(inner, test)) return true;
  return false;
}

function innerSchemas(schema: Schema): readonly Schema[] {
  const { items, additionalProperties, additionalItems, not, allOf = [], anyOf = [], oneOf = [] } = schema;
  const maps = [schema.properties, schema.patternProperties, schema.definitions, schema.dependencies];
  const loose = [...(isList(items) ? items : [items]), additionalProperties, additionalItems];
  return [
    ...loose.filter(isObject),
    ...allOf,
    ...anyOf,
    ...oneOf,
    ...(not === undefined ? [] : [not]),
    ...maps.flatMap((map) => Object.values(map ?? {}).filter(isObject)),
  ] as readonly Schema[];
}

/** `object` with other fields; the same object when nothing changed. */
export function mapFields(object: JsonObject, change: (value: JsonValue, name: string) => JsonValue | undefined): JsonObject {
  let result: { [name: string]: JsonValue } | undefined;
  for (const name of Object.keys(object)) {
    const value = object[name] as JsonValue;
    const next = change(value, name);
    if (next === value) continue;
    result ??= { ...object };
    if (next === undefined) delete result[name];
    else setOwn(result, name, next);
  }
  return result ?? object;
}

/** `list` with every item changed; the same list when none was. */
export function mapItems(list: readonly JsonValue[], change: (item: JsonValue, index: number) => JsonValue): readonly JsonValue[] {
  let result: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index] as JsonValue;
    const next = change(item, index);
    if (next === item) continue;
    result ??= [...list];
    result[index] = next;
  }
  return result ?? list;
}

/** Sets a field of whatever name: `__proto__` is one too. */
export function setOwn(object: { [name: string]: JsonValue }, name: string, value: JsonValue): void {
  if (name === "__proto__") Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}
