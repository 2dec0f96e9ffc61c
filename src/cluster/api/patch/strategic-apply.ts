// Applies a strategic merge patch: lists are merged by key, `$patch`, `$retainKeys`, `$setElementOrder/…` and
// `$deleteFromPrimitiveList/…` steer it. Rules of apimachinery's strategicpatch; nothing is changed in place.

import { deepEqual } from "../equality.ts";
import type { TypeSchema } from "../schema.ts";
import { isList, isObject, type JsonObject, type JsonValue } from "../wire.ts";
import {
  badArgument,
  deleteFromPrimitiveListPrefix,
  type FieldMerge,
  fieldMerge,
  goMap,
  isDeleteItem,
  mergeKeyValue,
  PatchError,
  patchDirective,
  retainKeysDirective,
  setElementOrderPrefix,
} from "./directives.ts";
import { listElementKind, orderMerged } from "./list-order.ts";

/** Whether a patch meets an object, or is added to another patch (then directives and nulls are kept). */
type Mode = "object" | "patch";
type Mutable = { [key: string]: JsonValue };

/** The object with the patch applied. Throws PatchError. */
export function applyStrategicMergePatch(typeName: string, object: JsonObject, patch: JsonObject): JsonObject {
  return mergeMap(object, patch, { kind: "object", name: typeName }, "object");
}

/** Two patches for the same type as one; the second wins. */
export function combineStrategicPatches(typeName: string, first: JsonObject, second: JsonObject): JsonObject {
  return mergeMap(first, second, { kind: "object", name: typeName }, "patch");
}

function mergeMap(original: JsonObject, patch: JsonObject, type: TypeSchema | undefined, mode: Mode): JsonObject {
  const directive = patch[patchDirective];
  if (directive !== undefined) return replaceOrDelete(directive, patch);
  const result: Mutable = { ...original };
  const rest: Mutable = { ...patch };
  retainKeys(result, rest, mode);
  for (const key of Object.keys(patch)) {
    if (key.startsWith(setElementOrderPrefix)) mergeOrdered(result, rest, key, type, mode);
  }
  for (const [key, value] of Object.entries(rest)) mergeField(result, key, value, type, mode);
  return result;
}

function replaceOrDelete(directive: JsonValue, patch: JsonObject): JsonObject {
  if (directive === "delete") return {};
  if (directive !== "replace") throw new PatchError(`unknown patch type: ${goMap(directive)} in map: ${goMap(patch)}`);
  const { [patchDirective]: _, ...rest } = patch;
  return rest;
}

function mergeField(result: Mutable, key: string, value: JsonValue, type: TypeSchema | undefined, mode: Mode): void {
  if (key.startsWith(deleteFromPrimitiveListPrefix)) {
    if (mode === "patch") result[key] = value;
    else deleteFromList(result, key.slice(deleteFromPrimitiveListPrefix.length), value);
    return;
  }
  if (value === null) {
    if (mode === "patch") result[key] = null;
    else delete result[key];
    return;
  }
  const before = result[key];
  if (isObject(before) && isObject(value)) {
    const field = fieldMerge(type, key);
    result[key] = mergeMap(before, value, field.type, mode);
  } else if (isList(before) && isList(value)) {
    result[key] = mergeList(before, value, fieldMerge(type, key), mode);
  } else {
    const taken = withoutDirectives(mode === "object" ? withoutNulls(value) : value);
    if (taken === undefined) delete result[key];
    else result[key] = taken;
  }
}

function deleteFromList(result: Mutable, key: string, values: JsonValue): void {
  const before = result[key];
  if (before === undefined) return;
  if (!isList(values)) throw new PatchError("invalid patch format of primitive list");
  if (isList(before)) result[key] = before.filter((item) => !values.includes(item));
}

/** Keeps of the object what `$retainKeys` names; in a patch the directive itself is kept. */
function retainKeys(result: Mutable, rest: Mutable, mode: Mode): void {
  const keys = rest[retainKeysDirective];
  if (keys === undefined) return;
  delete rest[retainKeysDirective];
  if (mode === "patch") {
    const before = result[retainKeysDirective];
    if (before !== undefined && !deepEqual(before, keys)) {
      throw new PatchError(
        `${goMap(before)} and ${goMap(keys)} are not deep equal: this may happen when calculating the 3-way diff patch`,
      );
    }
    result[retainKeysDirective] = keys;
    return;
  }
  if (!isList(keys)) throw new PatchError("invalid patch format of retainKeys");
  for (const [key, value] of Object.entries(rest)) {
    const isDirective = key.startsWith(deleteFromPrimitiveListPrefix) || key.startsWith(setElementOrderPrefix);
    if (value !== null && !isDirective && !keys.includes(key)) throw new PatchError("invalid patch format of retainKeys");
  }
  for (const key of Object.keys(result)) if (!keys.includes(key)) delete result[key];
}

/** Merges the list that a `$setElementOrder/…` is about, and puts it into the order that this names. */
function mergeOrdered(result: Mutable, rest: Mutable, directive: string, type: TypeSchema | undefined, mode: Mode): void {
  const order = rest[directive] as JsonValue;
  delete rest[directive];
  if (mode === "patch") {
    const before = result[directive];
    if (before !== undefined && !deepEqual(before, order)) throw new PatchError("invalid patch format of setElementOrder list");
    result[directive] = order;
  }
  if (!isList(order)) throw badArgument("slice", order);
  const key = directive.slice(setElementOrderPrefix.length);
  const [before, added] = [result[key], rest[key]];
  if (before !== undefined && !isList(before)) throw badArgument("slice", before);
  if (added !== undefined && !isList(added)) throw badArgument("slice", added);
  const field = fieldMerge(type, key);
  const mergeKey = field.rule?.patchMergeKey;
  if (added !== undefined) checkOrder(added, order, mergeKey);
  if (before === undefined && added === undefined) return;
  delete rest[key];
  let merged = before ?? [];
  if (added !== undefined) {
    merged = before === undefined ? (withoutDirectives(added) as readonly JsonValue[]) : mergeList(before, added, field, mode);
  }
  const kind = listElementKind(before ?? [], added ?? []);
  const serverOrder = kind === "map" && mergeKey !== undefined ? orderAfterMerge(before ?? [], added ?? [], mergeKey) : before;
  result[key] = orderMerged(merged, order, serverOrder ?? [], mergeKey, kind);
}

/**
 * The server's order as upstream sees it after the merge: its list was changed in place, so that new items stand where
 * deleted ones made room.
 */
function orderAfterMerge(before: readonly JsonValue[], added: readonly JsonValue[], mergeKey: string): readonly JsonValue[] {
  const deleted = new Set(added.filter(isDeleteItem).map((item) => mergeKeyValue(item, mergeKey)));
  if (deleted.size === 0) return before;
  const known = new Set(before.map((item) => mergeKeyValue(item, mergeKey)));
  const kept = before.filter((item) => !deleted.has(mergeKeyValue(item, mergeKey)));
  const fresh = added.filter((item) => !isDeleteItem(item) && !known.has(mergeKeyValue(item, mergeKey)));
  return [...kept, ...fresh].slice(0, before.length);
}

/** The patch's items must stand in `$setElementOrder`, in the same relative order. */
function checkOrder(items: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string | undefined): void {
  if (items.length === 0 || order.length === 0) return;
  const kept = mergeKey === undefined ? items : items.filter((item) => !(isObject(item) && patchDirective in item));
  const identity = (item: JsonValue) => (mergeKey === undefined ? item : mergeKeyValue(item, mergeKey));
  let next = 0;
  for (const item of order) {
    if (next < kept.length && identity(kept[next] as JsonValue) === identity(item)) next += 1;
  }
  if (next === kept.length) return;
  throw new PatchError(`The order in patch list:\n${goMap(items)}\n doesn't match $setElementOrder list:\n${goMap(order)}\n`);
}

function mergeList(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  field: FieldMerge,
  mode: Mode,
): readonly JsonValue[] {
  if (field.rule?.patchMerge !== true) return patch;
  if (original.length === 0 && patch.length === 0) return original;
  const kind = listElementKind(original, patch);
  const mergeKey = field.rule.patchMergeKey;
  if (kind === "scalar") {
    const merged = [...new Set([...original, ...patch])];
    return orderMerged(merged, patch, original, undefined, kind);
  }
  if (mergeKey === undefined) {
    const owner = field.type?.kind === "object" ? field.type.name : "";
    throw new PatchError(`cannot merge lists without merge key for ${owner}`);
  }
  const { kept, items } = handleSpecialItems(original, patch, mergeKey);
  const merged = mergeItems(kept, items, mergeKey, field.type, mode);
  return orderMerged(merged, items, kept, mergeKey, kind);
}

/** Items with `$patch: delete` remove, one with `$patch: replace` makes the patch's other items the whole list. */
function handleSpecialItems(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  mergeKey: string,
): { readonly kept: readonly JsonValue[]; readonly items: readonly JsonValue[] } {
  let kept = original;
  let replaces = false;
  const items: JsonValue[] = [];
  for (const item of patch) {
    const directive = (item as JsonObject)[patchDirective];
    if (directive === undefined) items.push(item);
    else if (directive === "replace") replaces = true;
    else if (directive === "delete") {
      const value = mergeKeyValue(item, mergeKey);
      kept = kept.filter((candidate) => !isObject(candidate) || candidate[mergeKey] !== value);
    } else if (directive === "merge") throw new PatchError("merging lists cannot yet be specified in the patch");
    else throw new PatchError(`unknown patch type: ${goMap(directive)} in map: ${goMap(item)}`);
  }
  return replaces ? { kept: items, items: [] } : { kept, items };
}

function mergeItems(
  original: readonly JsonValue[],
  items: readonly JsonValue[],
  mergeKey: string,
  type: TypeSchema | undefined,
  mode: Mode,
): readonly JsonValue[] {
  const merged = [...original];
  for (const item of items) {
    const value = mergeKeyValue(item, mergeKey);
    const index = merged.findIndex((candidate) => isObject(candidate) && candidate[mergeKey] === value);
    if (index < 0) merged.push(item);
    else merged[index] = mergeMap(merged[index] as JsonObject, item as JsonObject, type, mode);
  }
  return merged;
}

/** A value of a patch as it enters an object that had nothing there; undefined when it is a directive itself. */
function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (isList(value)) {
    const kept = value.map(withoutDirectives);
    return kept.every((item, index) => item === value[index]) ? value : kept.filter((item) => item !== undefined);
  }
  if (!isObject(value)) return value;
  if (patchDirective in value) return undefined;
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutDirectives(inner)] as const);
  if (entries.every(([key, inner]) => inner === value[key])) return value;
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

function withoutNulls(value: JsonValue): JsonValue {
  if (isList(value)) {
    const inner = value.map(withoutNulls);
    return inner.every((item, index) => item === value[index]) ? value : inner;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  const cleaned = entries.map(([key, inner]) => [key, withoutNulls(inner)] as const);
  const same = entries.length === Object.keys(value).length && cleaned.every(([key, inner]) => inner === value[key]);
  return same ? value : Object.fromEntries(cleaned);
}
