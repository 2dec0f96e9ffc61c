// The set of fields of an object, and removing a set of fields from an object.

import { readJson } from "#cluster/api/json-text.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import { isObject, type JsonObject, type JsonValue } from "../wire.ts";
import { below, emptySet, type FieldSet, hasMember, isEmptySet, type MutableFieldSet } from "./field-set.ts";
import { fieldShape, itemElement, type Shape, ShapeError } from "./shape.ts";

const untyped: Shape = { kind: "untyped" };
const leaf: Shape = { kind: "leaf" };

/** All fields that an apply configuration names. Throws ShapeError for fields that do not exist and for repeated items. */
export function fieldsOfValue(shape: Shape, value: JsonValue, path = ""): FieldSet {
  if (isObject(value) && (shape.kind === "struct" || shape.kind === "map" || shape.kind === "untyped")) {
    return fieldsOfObject(shape, value, path);
  }
  if (!Array.isArray(value) || (shape.kind !== "set" && shape.kind !== "keyed")) return emptySet;
  const set: MutableFieldSet = {};
  for (const [index, item] of (value as readonly JsonValue[]).entries()) {
    const element = elementAt(shape, item, `${path}: element ${index}`);
    if (set[element] !== undefined) throw new ShapeError(`${path}: duplicate entries for key ${elementText(element)}`);
    const inner = shape.kind === "keyed" ? fieldsOfValue(shape.of, item, path + elementText(element)) : emptySet;
    set[element] = isEmptySet(inner) ? emptySet : { ".": emptySet, ...inner };
  }
  return set;
}

function fieldsOfObject(shape: Shape, value: JsonObject, path: string): FieldSet {
  const set: MutableFieldSet = {};
  for (const [key, inner] of Object.entries(value)) {
    const innerShape = shapeOfField(shape, key, path);
    const fields = fieldsOfValue(innerShape, inner, `${path}.${key}`);
    const isOwn = isLeafValue(innerShape, inner) || shape.kind !== "struct" || isEmptyObject(inner) || inner === null;
    if (!isEmptySet(fields)) set[`f:${key}`] = isOwn ? { ".": emptySet, ...fields } : fields;
    else if (isOwn) set[`f:${key}`] = emptySet;
  }
  return set;
}

function shapeOfField(shape: Shape, key: string, path: string): Shape {
  if (shape.kind === "map") return shape.of;
  if (shape.kind !== "struct") return untyped;
  const found = shape.field(key);
  if (found === undefined) throw new ShapeError(`${path}.${key}: field not declared in schema`);
  return found;
}

/** Whether the value is owned as a whole. */
function isLeafValue(shape: Shape, value: JsonValue): boolean {
  return shape.kind === "leaf" || (shape.kind === "untyped" && !isObject(value));
}

function elementAt(shape: Shape & { kind: "set" | "keyed" }, item: JsonValue, context: string): string {
  try {
    return itemElement(shape, item);
  } catch (error) {
    if (error instanceof ShapeError) throw new ShapeError(`${context}: ${error.message}`);
    throw error;
  }
}

function elementText(element: string): string {
  if (element.startsWith("v:")) return `[=${element.slice(2)}]`;
  const keys = readJson(element.slice(2)) as JsonObject;
  const texts = Object.entries(keys).map(([key, value]) => `${key}=${jsonText(value)}`);
  return `[${texts.join(",")}]`;
}

/** The value without the members of a set; undefined when nothing is left of it. */
export function removeFields(shape: Shape, value: JsonValue, set: FieldSet): JsonValue | undefined {
  if (isEmptySet(set)) return value;
  if (isObject(value)) return shape.kind === "leaf" ? value : removeFromObject(shape, value, set);
  if (!Array.isArray(value) || (shape.kind !== "set" && shape.kind !== "keyed")) return value;
  const of = shape.kind === "keyed" ? shape.of : leaf;
  const kept: JsonValue[] = [];
  let changed = false;
  for (const item of value as readonly JsonValue[]) {
    const element = itemElement(shape, item);
    const rest = hasMember(set, element) ? undefined : removeFields(of, item, below(set, element));
    changed ||= rest !== item;
    if (hasMember(set, element)) continue;
    kept.push(rest ?? null);
  }
  if (!changed) return value;
  return kept.length === 0 ? undefined : kept;
}

function removeFromObject(shape: Shape, value: JsonObject, set: FieldSet): JsonValue | undefined {
  let result: { [key: string]: JsonValue } | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const element = `f:${key}`;
    if (set[element] === undefined) continue;
    const field = fieldShape(shape, key);
    if (hasMember(set, element)) {
      result ??= { ...value };
      delete result[key];
      continue;
    }
    const rest = removeFields(field, inner, below(set, element));
    if (rest === inner) continue;
    result ??= { ...value };
    result[key] = rest ?? null;
  }
  if (result === undefined) return value;
  return isEmptyObject(result) ? undefined : result;
}

/**
 * The set with every struct field on the way to a member as a member too: removing a struct's last field then removes the
 * struct. Keys of maps and list items are left alone.
 */
export function withNamedFields(shape: Shape, set: FieldSet): FieldSet {
  const result: MutableFieldSet = {};
  for (const element in set) {
    const node = set[element] as FieldSet;
    if (element === ".") {
      result["."] = node;
      continue;
    }
    const inner = withNamedFields(shapeBelow(shape, element), node);
    const isNamed = element.startsWith("f:") && shape.kind === "struct" && shape.field(element.slice(2)) !== undefined;
    result[element] = isNamed && !isEmptySet(inner) ? { ".": emptySet, ...inner } : inner;
  }
  return result;
}

function shapeBelow(shape: Shape, element: string): Shape {
  if (shape.kind === "struct") return shape.field(element.slice(2)) ?? untyped;
  if (shape.kind === "map" || shape.kind === "keyed") return shape.of;
  return shape.kind === "set" ? leaf : untyped;
}

function isEmptyObject(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  for (const _ in value) return false;
  return true;
}
