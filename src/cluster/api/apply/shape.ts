// What server-side apply must know of a type: which parts are one value, which lists are sets or maps by keys. Made of the
// generated schema for built-in types, of a structural schema for custom resources.

import { jsonText } from "#cluster/api/json-write.ts";
import { type EmptyFields, emptinessOf, emptyObjectOf } from "../emptiness.ts";
import { keyDefaults, type ListRule } from "../merge-keys.ts";
import { fieldsOf, type TypeSchema } from "../schema.ts";
import { isAtomicType } from "../type-tables.ts";
import type { JsonValue } from "../wire.ts";

export type Shape =
  /** A scalar, or a list, map or struct that has one owner as a whole. */
  | { readonly kind: "leaf" }
  /** Fields with names; undefined: there is no such field. `empties`: fields that are always there, and as what when nobody said so. */
  | { readonly kind: "struct"; readonly field: (name: string) => Shape | undefined; readonly empties: EmptyFields }
  | { readonly kind: "map"; readonly of: Shape }
  | { readonly kind: "set" }
  | { readonly kind: "keyed"; readonly keys: readonly string[]; readonly defaults: KeyDefaults; readonly of: Shape }
  /** Nothing is known: objects are maps, all else is one value. */
  | { readonly kind: "untyped" };

export type KeyDefaults = { readonly [key: string]: JsonValue };

const leaf: Shape = { kind: "leaf" };
const untyped: Shape = { kind: "untyped" };
const setShape: Shape = { kind: "set" };

/** Of what an object holds under a key. */
export function fieldShape(shape: Shape, key: string): Shape {
  if (shape.kind === "struct") return shape.field(key) ?? untyped;
  return shape.kind === "map" ? shape.of : untyped;
}

const shapes = new Map<string, Shape>();

/** The shape of a built-in type. */
export function shapeOfType(typeName: string): Shape {
  let shape = shapes.get(typeName);
  if (shape === undefined) {
    const fieldShapes = new Map<string, Shape>();
    const field = (name: string): Shape | undefined => {
      const known = fieldShapes.get(name);
      if (known !== undefined) return known;
      const schema = fieldsOf(typeName).get(name);
      if (schema === undefined) return undefined;
      const made = shapeOf(schema.type, schema.rule);
      fieldShapes.set(name, made);
      return made;
    };
    shape = { kind: "struct", field, empties: emptinessOf(typeName).written };
    shapes.set(typeName, shape);
  }
  return shape;
}

function shapeOf(type: TypeSchema, rule: ListRule | undefined): Shape {
  switch (type.kind) {
    case "object":
      if (rule?.apply === "atomic" || (isAtomicType(type.name) && rule?.apply !== "granular")) return leaf;
      return shapeOfType(type.name);
    case "map":
      return rule?.apply === "atomic" ? leaf : { kind: "map", of: shapeOf(type.of, undefined) };
    case "list":
      if (rule?.apply === "set") return setShape;
      if (rule?.apply !== "map") return leaf;
      return { kind: "keyed", keys: [...(rule.keys ?? [])].sort(), defaults: defaultsOf(type.of), of: shapeOf(type.of, undefined) };
    default:
      // What may hold anything (RawExtension, JSON) has one owner as a whole.
      return leaf;
  }
}

/** What a key is when it is absent: its default, or the zero that Go always writes for it (`name: ""`, `port: 0`). */
function defaultsOf(item: TypeSchema): KeyDefaults {
  if (item.kind !== "object") return keyDefaults;
  if (item.name === "LocalObjectReference") return { name: "" };
  return { ...keyDefaults, ...emptyObjectOf(item.name, "stored") };
}

/** The parts of a structural schema (apiextensions.k8s.io/v1) that matter here. */
export interface StructuralSchema {
  readonly type?: string;
  readonly properties?: { readonly [name: string]: StructuralSchema };
  readonly additionalProperties?: StructuralSchema | boolean;
  readonly items?: StructuralSchema;
  readonly default?: JsonValue;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
}

/** The shape of a custom resource: its schema's, with apiVersion, kind and metadata as everywhere. */
export function shapeOfCustomResource(schema: StructuralSchema | undefined): Shape {
  const root = schema === undefined ? untyped : shapeOfSchema(schema);
  const metadata = shapeOfType("ObjectMeta");
  const field = (name: string): Shape | undefined => {
    if (name === "metadata") return metadata;
    if (name === "apiVersion" || name === "kind") return leaf;
    return root.kind === "struct" ? root.field(name) : untyped;
  };
  return { kind: "struct", field, empties: [] };
}

function shapeOfSchema(schema: StructuralSchema): Shape {
  if (schema["x-kubernetes-map-type"] === "atomic") return leaf;
  if (schema.type === "array") return shapeOfListSchema(schema);
  const { properties, additionalProperties } = schema;
  if (properties !== undefined) {
    const shapes = new Map(Object.entries(properties).map(([name, inner]) => [name, shapeOfSchema(inner)]));
    const unknown = schema["x-kubernetes-preserve-unknown-fields"] === true ? untyped : undefined;
    return { kind: "struct", field: (name) => shapes.get(name) ?? unknown, empties: [] };
  }
  if (typeof additionalProperties === "object") return { kind: "map", of: shapeOfSchema(additionalProperties) };
  return schema.type === "object" || schema.type === undefined ? untyped : leaf;
}

function shapeOfListSchema(schema: StructuralSchema): Shape {
  const { items } = schema;
  if (schema["x-kubernetes-list-type"] === "set") return setShape;
  if (schema["x-kubernetes-list-type"] !== "map" || items === undefined) return leaf;
  const keys = [...(schema["x-kubernetes-list-map-keys"] ?? [])].sort();
  const defaults: { [key: string]: JsonValue } = {};
  for (const key of keys) {
    const value = items.properties?.[key]?.default;
    if (value !== undefined) defaults[key] = value;
  }
  return { kind: "keyed", keys, defaults, of: shapeOfSchema(items) };
}

/** A value that does not fit its shape. */
export class ShapeError extends Error {}

/** The element of a path that a list's item stands at: `k:{"name":"web"}`, `v:"a"`. Throws ShapeError. */
export function itemElement(shape: Shape & { kind: "set" | "keyed" }, item: JsonValue): string {
  if (shape.kind === "set") return `v:${jsonText(item)}`;
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    throw new ShapeError("associative list with keys may not have non-map elements");
  }
  const object = item as { readonly [key: string]: JsonValue };
  let text = "";
  for (const key of shape.keys) {
    const value = object[key] ?? shape.defaults[key];
    if (value === undefined || value === null) {
      throw new ShapeError(
        `associative list with keys has an element that omits key field ${JSON.stringify(key)} (and doesn't have default value)`,
      );
    }
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${JSON.stringify(value)}`;
  }
  return `k:{${text}}`;
}
