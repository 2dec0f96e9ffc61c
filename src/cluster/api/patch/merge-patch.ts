// JSON merge patch (RFC 7386), and the three-way one that kubectl apply makes for kinds without a schema.

import { deepEqual } from "../equality.ts";
import { isObject, type JsonObject, type JsonValue } from "../wire.ts";

/** The target with the patch applied; parts that the patch does not name are shared. */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const base: JsonObject = isObject(target) ? target : {};
  const result: { [key: string]: JsonValue } = { ...base };
  let changed = base !== target;
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      if (!(key in result)) continue;
      delete result[key];
      changed = true;
      continue;
    }
    const merged = applyMergePatch(base[key], value);
    if (merged === base[key] || (merged !== null && base[key] !== undefined && deepEqual(merged, base[key]))) continue;
    result[key] = merged;
    changed = true;
  }
  return changed ? result : base;
}

/** A patch that makes `modified` of `original`; `{}` when they are equal. */
export function createMergePatch(original: JsonObject, modified: JsonObject): JsonObject {
  const patch: { [key: string]: JsonValue } = {};
  for (const [key, value] of Object.entries(modified)) {
    const before = original[key];
    if (before === undefined) patch[key] = value;
    else if (isObject(before) && isObject(value)) {
      const inner = createMergePatch(before, value);
      if (Object.keys(inner).length > 0) patch[key] = inner;
    } else if (!deepEqual(before, value)) patch[key] = value;
  }
  for (const key of Object.keys(original)) if (!(key in modified)) patch[key] = null;
  return patch;
}

/**
 * What kubectl apply sends for custom resources: additions and changes from `current` to `modified`, deletions from
 * `original` (the last applied) to `modified`.
 */
export function createThreeWayMergePatch(original: JsonObject, modified: JsonObject, current: JsonObject): JsonObject {
  const changes = keepChanges(createMergePatch(current, modified));
  const deletions = keepDeletions(createMergePatch(original, modified));
  return combine(deletions, changes);
}

function keepChanges(patch: JsonObject): JsonObject {
  const kept: { [key: string]: JsonValue } = {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) continue;
    if (!isObject(value) || Object.keys(value).length === 0) {
      kept[key] = value;
      continue;
    }
    const inner = keepChanges(value);
    if (Object.keys(inner).length > 0) kept[key] = inner;
  }
  return kept;
}

function keepDeletions(patch: JsonObject): JsonObject {
  const kept: { [key: string]: JsonValue } = {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) kept[key] = null;
    if (!isObject(value)) continue;
    const inner = keepDeletions(value);
    if (Object.keys(inner).length > 0) kept[key] = inner;
  }
  return kept;
}

/** Two patches as one; the second wins, and nulls of the first stay. */
function combine(first: JsonObject, second: JsonObject): JsonObject {
  const result: { [key: string]: JsonValue } = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = result[key];
    result[key] = isObject(before) && isObject(value) ? combine(before, value) : value;
  }
  return result;
}
