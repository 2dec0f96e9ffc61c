// JSON patch (RFC 6902), with the error texts of the library that the API server uses (evanphx/json-patch).

import { deepEqual } from "../equality.ts";
import { isList, isObject, type JsonValue } from "../wire.ts";
import { PatchError } from "./directives.ts";

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from: string | undefined;
  readonly value: JsonValue | undefined;
}

/** The API server refuses longer ones. */
export const maxJsonPatchOperations = 10_000;

/** The document with all operations applied in order; what they do not touch is shared. Throws PatchError. */
export function applyJsonPatch(document: JsonValue, patch: JsonValue): JsonValue {
  if (patch === null) return document;
  if (!isList(patch)) {
    const kind = isObject(patch) ? "object" : typeof patch === "boolean" ? "bool" : typeof patch;
    throw new PatchError(`json: cannot unmarshal ${kind} into Go value of type jsonpatch.Patch`);
  }
  if (patch.length > maxJsonPatchOperations) {
    throw new PatchError(`The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got ${patch.length}`);
  }
  return patch.map(readOperation).reduce(applyOperation, document);
}

function readOperation(value: JsonValue): Operation {
  if (!isObject(value)) {
    const kind = isList(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
    throw new PatchError(`json: cannot unmarshal ${kind} into Go value of type jsonpatch.Operation`);
  }
  const { op, from } = value;
  return {
    op: typeof op === "string" ? op : "unknown",
    path: pathOf(value, op),
    from: typeof from === "string" ? from : undefined,
    value: value.value,
  };
}

function pathOf(operation: { readonly [key: string]: JsonValue }, op: JsonValue | undefined): string {
  if (typeof operation.path === "string") return operation.path;
  throw new PatchError(`${typeof op === "string" ? op : "unknown"} operation failed to decode path: missing value`);
}

function applyOperation(document: JsonValue, operation: Operation): JsonValue {
  const { op, path } = operation;
  switch (op) {
    case "add":
      return edit(document, path, (container, key) => addTo(container, key, operation.value ?? null, path), "add");
    case "remove":
      return edit(document, path, (container, key) => removeFrom(container, key, path), "remove");
    case "replace":
      if (path === "") return operation.value ?? null;
      return edit(document, path, (container, key) => replaceIn(container, key, operation.value ?? null, path), "replace");
    case "move": {
      const from = fromOf(operation);
      const moved = valueAt(document, from, "move");
      const without = edit(document, from, (container, key) => removeFrom(container, key, from), "move");
      return edit(without, path, (container, key) => addTo(container, key, moved, path), "move");
    }
    case "copy": {
      const copied = valueAt(document, fromOf(operation), "copy");
      return edit(document, path, (container, key) => addTo(container, key, copied, path), "copy");
    }
    case "test":
      return test(document, operation);
    default:
      throw new PatchError(`Unexpected kind: ${op}`);
  }
}

function fromOf({ op, from }: Operation): string {
  if (from !== undefined) return from;
  throw new PatchError(`${op} operation failed to decode from: operation, missing from field: missing value`);
}

function segmentsOf(path: string): readonly string[] {
  return path
    .split("/")
    .slice(1)
    .map((segment) => segment.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/** Rebuilds the containers from the root to the one that holds the path's last segment. */
function edit(
  document: JsonValue,
  path: string,
  change: (container: JsonValue, key: string) => JsonValue,
  operation: string,
): JsonValue {
  const segments = segmentsOf(path);
  const missing = new PatchError(
    `${operation} operation does not apply: doc is missing path: ${operation === "replace" ? path : JSON.stringify(path)}: missing value`,
  );
  if (segments.length === 0) throw missing;
  const descend = (container: JsonValue, depth: number): JsonValue => {
    const segment = segments[depth] as string;
    if (!isObject(container) && !isList(container)) throw missing;
    if (depth === segments.length - 1) return change(container, segment);
    if (isList(container)) {
      const index = existingIndex(container, segment);
      if (index === undefined) throw missing;
      const changed = container.slice();
      changed[index] = descend(container[index] as JsonValue, depth + 1);
      return changed;
    }
    const inner = container[segment];
    if (inner === undefined) throw missing;
    return { ...container, [segment]: descend(inner, depth + 1) };
  };
  return descend(document, 0);
}

function addTo(container: JsonValue, key: string, value: JsonValue, path: string): JsonValue {
  if (!isList(container)) return { ...(container as { [key: string]: JsonValue }), [key]: value };
  if (key === "-") return [...container, value];
  const fault = (detail: string) => new PatchError(`error in add for path: '${path}': ${detail}`);
  if (!/^-?\d+$/.test(key)) {
    throw fault(`value was not a proper array index: '${key}': strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`);
  }
  const given = Number(key);
  const index = given < 0 ? container.length + 1 + given : given;
  if (index < 0 || index > container.length) throw fault(`Unable to access invalid index: ${given}: invalid index referenced`);
  return [...container.slice(0, index), value, ...container.slice(index)];
}

function removeFrom(container: JsonValue, key: string, path: string): JsonValue {
  const subject = `remove operation does not apply: doc is missing path: ${JSON.stringify(path)}`;
  if (isList(container)) {
    if (!/^-?\d+$/.test(key)) {
      const fault = `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
      throw new PatchError(`error in remove for path: '${path}': ${fault}`);
    }
    const index = existingIndex(container, key);
    if (index === undefined)
      throw new PatchError(`error in remove for path: '${path}': Unable to access invalid index: ${key}: invalid index referenced`);
    return [...container.slice(0, index), ...container.slice(index + 1)];
  }
  const object = container as { readonly [key: string]: JsonValue };
  if (!Object.hasOwn(object, key)) {
    throw new PatchError(
      segmentsOf(path).length === 0
        ? subject
        : `error in remove for path: '${path}': Unable to remove nonexistent key: ${key}: missing value`,
    );
  }
  const { [key]: _, ...rest } = object;
  return rest;
}

function replaceIn(container: JsonValue, key: string, value: JsonValue, path: string): JsonValue {
  const missing = new PatchError(`replace operation does not apply: doc is missing key: ${path}: missing value`);
  if (isList(container)) {
    const index = existingIndex(container, key);
    if (index === undefined) throw missing;
    return container.map((item, position) => (position === index ? value : item));
  }
  return { ...(container as { readonly [key: string]: JsonValue }), [key]: value };
}

function existingIndex(list: readonly JsonValue[], key: string): number | undefined {
  if (!/^-?\d+$/.test(key)) return undefined;
  const given = Number(key);
  const index = given < 0 ? list.length + given : given;
  return index >= 0 && index < list.length ? index : undefined;
}

/** The value at a path, or undefined. */
function find(document: JsonValue, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const segment of segmentsOf(path)) {
    if (isList(value)) {
      const index = existingIndex(value, segment);
      value = index === undefined ? undefined : value[index];
    } else if (isObject(value) && Object.hasOwn(value, segment)) value = value[segment];
    else return undefined;
  }
  return value;
}

function valueAt(document: JsonValue, path: string, operation: string): JsonValue {
  const value = find(document, path);
  if (value !== undefined) return value;
  const key = segmentsOf(path).at(-1) ?? "";
  const parent = find(document, path.slice(0, path.lastIndexOf("/")));
  if (operation === "copy" && isObject(parent)) return null;
  if (operation === "move" && isObject(parent)) {
    throw new PatchError(`error in move for path: '${key}': Unable to remove nonexistent key: ${key}: missing value`);
  }
  throw new PatchError(`${operation} operation does not apply: doc is missing from path: ${path}: missing value`);
}

function test(document: JsonValue, { path, value }: Operation): JsonValue {
  const actual = find(document, path);
  if (actual === undefined && find(document, path.slice(0, Math.max(0, path.lastIndexOf("/")))) === undefined) {
    throw new PatchError(`test operation does not apply: is missing path: ${path}: missing value`);
  }
  const expected = value ?? null;
  if (deepEqual(actual ?? null, expected)) return document;
  throw new PatchError(`testing value ${path} failed: test failed`);
}
