// Which fields two versions of an object differ in. Parts that are the same object are equal: comparing costs what has
// changed.

import type { EmptyFields } from "../emptiness.ts";
import { deepEqual } from "../equality.ts";
import { isObject, type JsonObject, type JsonValue } from "../wire.ts";
import { emptySet, type FieldSet, isEmptySet, type MutableFieldSet } from "./field-set.ts";
import { fieldShape, itemElement, type Shape } from "./shape.ts";

export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** The fields added, modified and removed between two versions. Throws ShapeError for list items without their keys. */
export function compare(shape: Shape, before: JsonValue, after: JsonValue): Comparison {
  const found: Found = { added: {}, modified: {}, removed: {} };
  visit(shape, before, after, found);
  return found;
}

interface Found {
  readonly added: MutableFieldSet;
  readonly modified: MutableFieldSet;
  readonly removed: MutableFieldSet;
}

/** Compares below a node that both sides may lack; true when the node is one value that differs or stands alone. */
function visit(shape: Shape, before: JsonValue | undefined, after: JsonValue | undefined, found: Found): boolean {
  if (before === after) return false;
  switch (shape.kind) {
    case "leaf":
      return true;
    case "struct":
    case "map":
      if (isNothing(before) && isNothing(after)) return true;
      visitFields(shape, before, after, found);
      return false;
    case "untyped":
      if (isFilledObject(before) || isFilledObject(after)) {
        if (isScalarOrList(before) || isScalarOrList(after)) return true;
        visitFields(shape, before, after, found);
        return false;
      }
      return true;
    default:
      if (isNothing(before) && isNothing(after)) return true;
      visitItems(shape, before, after, found);
      return false;
  }
}

function visitFields(shape: Shape, before: JsonValue | undefined, after: JsonValue | undefined, found: Found): void {
  const left = asObject(before);
  const right = asObject(after);
  // What is empty may be missing on either side: components that write in process leave it out.
  const empties = shape.kind === "struct" ? shape.empties : noEmpties;
  const [leftEmpties, rightEmpties] = [left === before ? empties : noEmpties, right === after ? empties : noEmpties];
  for (const key in right) {
    const [old, value] = [left[key] ?? emptyAt(leftEmpties, key), right[key]];
    if (old !== value && value !== undefined) child(fieldShape(shape, key), `f:${key}`, old, value, found);
  }
  for (const key in left) {
    if (right[key] !== undefined || left[key] === undefined) continue;
    child(fieldShape(shape, key), `f:${key}`, left[key], emptyAt(rightEmpties, key), found);
  }
  if (leftEmpties === rightEmpties) return;
  for (const [field, empty] of empties) {
    if (left[field] !== undefined || right[field] !== undefined) continue;
    const isNew = rightEmpties === empties;
    child(fieldShape(shape, field), `f:${field}`, isNew ? undefined : empty, isNew ? empty : undefined, found);
  }
}

const noEmpties: EmptyFields = [];

function emptyAt(empties: EmptyFields, key: string): JsonValue | undefined {
  for (const [field, empty] of empties) if (field === key) return empty;
  return undefined;
}

function visitItems(
  shape: Shape & { kind: "set" | "keyed" },
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  found: Found,
): void {
  const [left, right] = groupDifferent(shape, before, after);
  const of: Shape = shape.kind === "keyed" ? shape.of : { kind: "leaf" };
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    const old = left.get(element) ?? [];
    const now = right.get(element) ?? [];
    if (old.length <= 1 && now.length <= 1) {
      if (shape.kind === "set" && old.length === now.length) continue;
      child(of, element, old[0], now[0], found);
    } else if (old.length > 1 && now.length > 1) {
      if (!deepEqual(old, now)) found.modified[element] = emptySet;
    } else if (old.length > 1) found.removed[element] = emptySet;
    else found.added[element] = emptySet;
  }
}

/** The items of both lists by their path element, without those that are the same object at the same place. */
function groupDifferent(
  shape: Shape & { kind: "set" | "keyed" },
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly [Map<string, JsonValue[]>, Map<string, JsonValue[]>] {
  if (!Array.isArray(before) || !Array.isArray(after)) return [groupItems(shape, before), groupItems(shape, after)];
  const isShared = (item: unknown, index: number) => typeof item === "object" && item === before[index] && item === after[index];
  if (!before.some(isShared)) return [groupItems(shape, before), groupItems(shape, after)];
  const different = (list: readonly JsonValue[]) => list.filter((item, index) => !isShared(item, index));
  return [groupItems(shape, different(before)), groupItems(shape, different(after))];
}

/** The items of a list by their path element; a valid list has one each. */
function groupItems(shape: Shape & { kind: "set" | "keyed" }, list: JsonValue | undefined): Map<string, JsonValue[]> {
  const groups = new Map<string, JsonValue[]>();
  if (!Array.isArray(list)) return groups;
  for (const item of list as readonly JsonValue[]) {
    const element = itemElement(shape, item);
    const group = groups.get(element);
    if (group === undefined) groups.set(element, [item]);
    else group.push(item);
  }
  return groups;
}

/** Compares one entry; what stands on one side only is a member itself, besides what is below it. */
function child(shape: Shape, element: string, before: JsonValue | undefined, after: JsonValue | undefined, found: Found): void {
  if (before === after) return;
  const inner: Found = { added: {}, modified: {}, removed: {} };
  const isLeaf = visit(shape, before, after, inner);
  if (before === undefined) insert(found.added, element, inner.added);
  else if (after === undefined) insert(found.removed, element, inner.removed);
  else if (isLeaf) {
    if (!deepEqual(before, after)) found.modified[element] = emptySet;
    return;
  } else {
    if (!isEmptySet(inner.added)) found.added[element] = inner.added;
    if (!isEmptySet(inner.removed)) found.removed[element] = inner.removed;
  }
  if (!isEmptySet(inner.modified)) found.modified[element] = inner.modified;
}

function insert(set: MutableFieldSet, element: string, children: MutableFieldSet): void {
  if (!isEmptySet(children)) children["."] = emptySet;
  set[element] = children;
}

const noFields: JsonObject = {};

function asObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : noFields;
}

function isScalarOrList(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && (typeof value !== "object" || Array.isArray(value));
}

function isFilledObject(value: JsonValue | undefined): boolean {
  for (const _ in asObject(value)) return true;
  return false;
}

/** Absent, null, or empty. */
function isNothing(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && !isFilledObject(value);
}
