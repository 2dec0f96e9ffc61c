// Lists that are sets have each item once, lists that are maps each key (apiextensions-apiserver, pkg/apiserver/schema/listtype).

import { compareBytes, writeCompactJson } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { isList, isObject, type JsonObject } from "#cluster/api/wire.ts";
import type { FieldErrors, Path } from "../field-errors.ts";
import { additionalOf, itemsOf, propertyOf, type Schema } from "./structural-schema.ts";

export function validateLists(value: JsonValue, schema: Schema | undefined, path: Path, errors: FieldErrors): void {
  if (schema === undefined) return;
  if (isList(value)) {
    if (schema["x-kubernetes-list-type"] === "set") validateSet(value, path, errors);
    if (schema["x-kubernetes-list-type"] === "map") validateMap(value, schema["x-kubernetes-list-map-keys"] ?? [], path, errors);
    const items = itemsOf(schema);
    if (items !== undefined)
      value.forEach((item, index) => {
        validateLists(item, items, path.index(index), errors);
      });
    return;
  }
  if (!isObject(value)) return;
  const additional = additionalOf(schema);
  for (const [name, field] of Object.entries(value)) {
    if (additional !== undefined) validateLists(field, additional, path.key(name), errors);
    const property = propertyOf(schema, name);
    if (property !== undefined) validateLists(field, property, path.child(name), errors);
  }
}

function validateSet(list: readonly JsonValue[], path: Path, errors: FieldErrors): void {
  const sorted = list.map(inOrder);
  for (const index of repeated(sorted)) errors.duplicate(path.index(index), sorted[index]);
}

function validateMap(list: readonly JsonValue[], keys: readonly string[], path: Path, errors: FieldErrors): void {
  for (const [index, item] of list.entries()) {
    if (item === null || isObject(item)) continue;
    errors.invalid(path.index(index), item, "must be an object for an array of list-type map");
    return;
  }
  const sorted = [...keys].sort(compareBytes);
  const found = list.map((item) => keysOf(item as JsonObject | null, sorted));
  for (const index of repeated(found)) errors.duplicate(path.index(index), found[index]);
}

function keysOf(item: JsonObject | null, keys: readonly string[]): JsonObject {
  const found: { [key: string]: JsonValue } = {};
  for (const key of keys) if (item !== null && item[key] !== undefined) found[key] = item[key] as JsonValue;
  return found;
}

/** With the fields of objects in the order in which Go prints maps. */
function inOrder(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort(compareBytes)
      .map((name) => [name, inOrder(value[name] as JsonValue)]),
  );
}

/** Where an item stands for the second time. */
function repeated(list: readonly JsonValue[]): readonly number[] {
  if (list.length <= 1) return [];
  const times = new Map<string, number>();
  const indexes: number[] = [];
  list.forEach((item, index) => {
    const text = writeCompactJson(item);
    const seen = times.get(text) ?? 0;
    times.set(text, seen + 1);
    if (seen === 1) indexes.push(index);
  });
  return indexes;
}
