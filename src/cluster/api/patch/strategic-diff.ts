// Makes strategic merge patches: the difference of two objects, and the three-way patch that kubectl apply sends.

import { deepEqual } from "../equality.ts";
import { compareBytes } from "../json-write.ts";
import type { TypeSchema } from "../schema.ts";
import { isList, isObject, type JsonObject, type JsonValue } from "../wire.ts";
import {
  deleteFromPrimitiveListPrefix,
  type FieldMerge,
  fieldMerge,
  mergeKeyValue,
  PatchError,
  patchDirective,
  retainKeysDirective,
  setElementOrderPrefix,
} from "./directives.ts";
import { listElementKind, sortByOrder } from "./list-order.ts";
import { combineStrategicPatches } from "./strategic-apply.ts";

interface DiffOptions {
  /** Leave out what `modified` adds or changes. */
  readonly ignoreChanges: boolean;
  /** Leave out what `modified` lacks. */
  readonly ignoreDeletions: boolean;
  readonly setElementOrder: boolean;
  readonly retainKeys: boolean;
}

type Mutable = { [key: string]: JsonValue };

/** A patch that makes `modified` of `original`; `{}` when they are equal. Throws PatchError. */
export function createTwoWayStrategicPatch(typeName: string, original: JsonObject, modified: JsonObject): JsonObject {
  const options = { ignoreChanges: false, ignoreDeletions: false, setElementOrder: true, retainKeys: false };
  return diffMaps(original, modified, { kind: "object", name: typeName }, options);
}

/**
 * What kubectl apply sends: additions and changes from `current` to `modified`, deletions from `original` (the last
 * applied configuration) to `modified`. With `overwrite` false a PatchError says so when `current` was changed in other
 * ways than `modified`. Throws PatchError.
 */
export function createThreeWayStrategicPatch(
  typeName: string,
  original: JsonObject,
  modified: JsonObject,
  current: JsonObject,
): JsonObject {
  const type: TypeSchema = { kind: "object", name: typeName };
  const base = { setElementOrder: true, retainKeys: false };
  const changes = diffMaps(current, modified, type, { ...base, ignoreChanges: false, ignoreDeletions: true });
  const deletions = diffMaps(original, modified, type, { ...base, ignoreChanges: true, ignoreDeletions: false });
  return combineStrategicPatches(typeName, deletions, changes);
}

function diffMaps(original: JsonObject, modified: JsonObject, type: TypeSchema | undefined, options: DiffOptions): JsonObject {
  const patch: Mutable = {};
  for (const [key, value] of Object.entries(modified)) {
    const before = original[key];
    if (before === undefined) {
      if (!options.ignoreChanges) patch[key] = value;
    } else Object.assign(patch, diffField(key, before, value, type, options));
  }
  if (!options.ignoreDeletions) for (const key of Object.keys(original)) if (!(key in modified)) patch[key] = null;
  if (options.retainKeys) addRetainKeys(patch, original, modified);
  return patch;
}

/** `$retainKeys` names all fields that are to stay; it is needed when anything changes or was there before. */
function addRetainKeys(patch: Mutable, original: JsonObject, modified: JsonObject): void {
  const kept = Object.keys(modified).filter((key) => modified[key] !== null);
  if (kept.length === 0) return;
  const loses = Object.keys(original).some((key) => original[key] !== null && !(key in modified));
  if (Object.keys(patch).length > 0 || loses) patch[retainKeysDirective] = kept.sort();
}

/** What a patch says of a field that was there before: the field itself, and for a list directives beside it. */
function diffField(
  key: string,
  before: JsonValue,
  value: JsonValue,
  type: TypeSchema | undefined,
  options: DiffOptions,
): JsonObject {
  if (key === patchDirective) {
    if (typeof before !== "string" || typeof value !== "string") {
      throw new PatchError(`invalid value for special key: ${patchDirective}`);
    }
    return { [patchDirective]: value };
  }
  if (isObject(before) && isObject(value)) {
    const field = fieldMerge(type, key);
    const inner = diffMaps(before, value, field.type, { ...options, retainKeys: field.rule?.patchRetainKeys === true });
    return Object.keys(inner).length > 0 ? { [key]: inner } : {};
  }
  if (isList(before) && isList(value)) {
    const field = fieldMerge(type, key);
    if (field.rule?.patchMerge === true) return diffListField(key, before, value, field, options);
  }
  return options.ignoreChanges || deepEqual(before, value) ? {} : { [key]: value };
}

function diffListField(
  key: string,
  before: readonly JsonValue[],
  value: readonly JsonValue[],
  field: FieldMerge,
  options: DiffOptions,
): JsonObject {
  const patch: Mutable = {};
  const retainKeys = field.rule?.patchRetainKeys === true;
  const difference = diffLists(before, value, field, { ...options, retainKeys });
  if (difference.items.length > 0) patch[key] = difference.items;
  if (difference.deleted.length > 0) patch[deleteFromPrimitiveListPrefix + key] = difference.deleted;
  if (difference.order.length > 0) patch[setElementOrderPrefix + key] = difference.order;
  return patch;
}

interface ListDifference {
  readonly items: readonly JsonValue[];
  /** Scalars only: objects are deleted by items. */
  readonly deleted: readonly JsonValue[];
  /** For `$setElementOrder`; empty when not needed. */
  readonly order: readonly JsonValue[];
}

const noDifference: ListDifference = { items: [], deleted: [], order: [] };

function diffLists(
  original: readonly JsonValue[],
  modified: readonly JsonValue[],
  field: FieldMerge,
  options: DiffOptions,
): ListDifference {
  if (original.length === 0) {
    return modified.length === 0 || options.ignoreChanges ? noDifference : { ...noDifference, items: modified };
  }
  if (listElementKind(original, modified) === "scalar") return diffScalars(original, modified, options);
  const mergeKey = field.rule?.patchMergeKey ?? "";
  const { changed, deleted } = diffItems(original, modified, mergeKey, field.type, options);
  const items = [...sortByOrder(changed, modified, mergeKey), ...deleted];
  const sameOrder =
    original.length === modified.length &&
    modified.every((item, index) => mergeKeyValue(item, mergeKey) === mergeKeyValue(original[index] as JsonValue, mergeKey));
  const ordered =
    options.setElementOrder &&
    ((!options.ignoreChanges && (items.length > 0 || !sameOrder)) || (!options.ignoreDeletions && items.length > 0));
  const order = ordered ? modified.map((item) => ({ [mergeKey]: mergeKeyValue(item, mergeKey) })) : [];
  return { items, deleted: [], order };
}

function diffItems(
  original: readonly JsonValue[],
  modified: readonly JsonValue[],
  mergeKey: string,
  type: TypeSchema | undefined,
  options: DiffOptions,
): { readonly changed: readonly JsonValue[]; readonly deleted: readonly JsonValue[] } {
  const before = new Map(original.map((item) => [mergeKeyValue(item, mergeKey), item as JsonObject]));
  const after = new Set(modified.map((item) => mergeKeyValue(item, mergeKey)));
  const changed: JsonValue[] = [];
  for (const item of modified) {
    const value = mergeKeyValue(item, mergeKey);
    const old = before.get(value);
    if (old === undefined) {
      if (!options.ignoreChanges) changed.push(item);
      continue;
    }
    const inner = diffMaps(old, item as JsonObject, type, options);
    if (Object.keys(inner).length > 0) changed.push({ ...inner, [mergeKey]: value });
  }
  const gone = options.ignoreDeletions ? [] : [...before.keys()].filter((value) => !after.has(value));
  const deleted = gone
    .sort((a, b) => compareBytes(String(a), String(b)))
    .map((value) => ({ [patchDirective]: "delete", [mergeKey]: value }));
  return { changed, deleted };
}

/** Upstream compares the new order with the sorted old list, so `$setElementOrder` also stands where nothing changes. */
function diffScalars(original: readonly JsonValue[], modified: readonly JsonValue[], options: DiffOptions): ListDifference {
  const [before, after] = [new Set(original), new Set(modified)];
  const items = options.ignoreChanges ? [] : modified.filter((item) => !before.has(item));
  const gone = options.ignoreDeletions ? [] : [...before].filter((item) => !after.has(item));
  const deleted = gone.sort((a, b) => compareBytes(String(a), String(b)));
  const sorted = [...original].sort((a, b) => compareBytes(String(a), String(b)));
  const ordered =
    options.setElementOrder &&
    ((!options.ignoreDeletions && deleted.length > 0) || (!options.ignoreChanges && !deepEqual(sorted, modified)));
  return { items, deleted, order: ordered ? modified : [] };
}
