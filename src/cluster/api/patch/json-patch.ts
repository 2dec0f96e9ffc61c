// JSON patch (RFC 6902), with the error texts of the library that the API server uses (evanphx/json-patch).

import { jsonText } from "#cluster/api/json-write.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { deepEqual } from "../equality.ts";
import { isList, isObject, type JsonObject, type JsonValue, jsonKind } from "../wire.ts";
import { PatchError } from "./directives.ts";

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from: string | undefined;
  readonly value: JsonValue | undefined;
}

/** The API server refuses longer ones. */
export const maxJsonPatchOperations = 10_000;
/** Bytes of JSON that all `copy` operations of a patch may add (the API server's JSONPatchMaxCopyBytes). */
const maxCopiedBytes = 3 * 1024 * 1024;

/** The document with all operations applied in order; what they do not touch is shared. Throws PatchError. */
export function applyJsonPatch(document: JsonValue, patch: JsonValue): JsonValue {
  if (patch === null) return document;
  if (!isList(patch)) {
    throw new PatchError(`json: cannot unmarshal ${jsonKind(patch)} into Go value of type jsonpatch.Patch`);
  }
  if (patch.length > maxJsonPatchOperations) {
    throw new PatchError(`The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got ${patch.length}`);
  }
  return new Patching(document).apply(patch.map(readOperation));
}

function readOperation(value: JsonValue): Operation {
  if (!isObject(value)) {
    throw new PatchError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type jsonpatch.Operation`);
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

type Change = (container: JsonObject | readonly JsonValue[], key: string) => void;

/** A document under change: a container is copied when it is first written to, and from then on changed where it is. */
class Patching {
  #document: JsonValue;
  readonly #owned = new WeakSet<object>();
  #copiedBytes = 0;

  constructor(document: JsonValue) {
    this.#document = document;
  }

  apply(operations: readonly Operation[]): JsonValue {
    for (const operation of operations) this.#apply(operation);
    return this.#document;
  }

  #apply(operation: Operation): void {
    const { op, path, value = null } = operation;
    switch (op) {
      case "add":
        this.#edit(path, (container, key) => addTo(container, key, value, path), "add");
        break;
      case "remove":
        this.#edit(path, (container, key) => removeFrom(container, key, path), "remove");
        break;
      case "replace":
        if (path === "") this.#document = value;
        else this.#edit(path, (container, key) => replaceIn(container, key, value, path), "replace");
        break;
      case "move": {
        const from = fromOf(operation);
        const moved = valueAt(this.#document, from, "move");
        this.#edit(from, (container, key) => removeFrom(container, key, from), "move");
        this.#edit(path, (container, key) => addTo(container, key, moved, path), "move");
        break;
      }
      case "copy": {
        const copied = this.#copyOf(valueAt(this.#document, fromOf(operation), "copy"));
        this.#edit(path, (container, key) => addTo(container, key, copied, path), "copy");
        break;
      }
      case "test":
        test(this.#document, operation);
        break;
      default:
        throw new PatchError(`Unexpected kind: ${op}`);
    }
  }

  /** Copies are bounded all together: each may double the document. */
  #copyOf(value: JsonValue): JsonValue {
    const text = jsonText(value);
    this.#copiedBytes += encodeUtf8(text).length;
    if (this.#copiedBytes > maxCopiedBytes) {
      throw new PatchError(
        `Unable to complete the copy, the accumulated size increase of copy is ${this.#copiedBytes}, exceeding the limit ${maxCopiedBytes}`,
      );
    }
    return structuredClone(value);
  }

  /** Changes the container of a path's last segment; those on the way to it become our own. */
  #edit(path: string, change: Change, operation: string): void {
    const segments = segmentsOf(path);
    const missing = (): PatchError =>
      new PatchError(
        `${operation} operation does not apply: doc is missing path: ${operation === "replace" ? path : JSON.stringify(path)}: missing value`,
      );
    const last = segments.at(-1);
    if (last === undefined) throw missing();
    let container = this.#own(this.#document, missing);
    this.#document = container;
    for (const segment of segments.slice(0, -1)) {
      const index = isList(container) ? existingIndex(container, segment) : undefined;
      const key = isList(container) ? String(index) : segment;
      const inner = Object.hasOwn(container, key) ? (container as JsonObject)[key] : undefined;
      const own = this.#own(inner, missing);
      setIn(container, key, own);
      container = own;
    }
    change(container, last);
  }

  #own(value: JsonValue | undefined, missing: () => PatchError): JsonObject | readonly JsonValue[] {
    if (value === undefined || (!isObject(value) && !isList(value))) throw missing();
    if (this.#owned.has(value)) return value;
    const own = isList(value) ? value.slice() : { ...value };
    this.#owned.add(own);
    return own;
  }
}

/** A key may be `__proto__`. */
function setIn(container: JsonObject | readonly JsonValue[], key: string, value: JsonValue): void {
  if (key === "__proto__") Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
  else (container as { [key: string]: JsonValue })[key] = value;
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

function addTo(container: JsonObject | readonly JsonValue[], key: string, value: JsonValue, path: string): void {
  if (!isList(container)) {
    setIn(container, key, value);
    return;
  }
  const list = container as JsonValue[];
  if (key === "-") {
    list.push(value);
    return;
  }
  const fault = (detail: string) => new PatchError(`error in add for path: '${path}': ${detail}`);
  if (!/^-?\d+$/.test(key)) {
    throw fault(`value was not a proper array index: '${key}': strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`);
  }
  const given = Number(key);
  const index = given < 0 ? list.length + 1 + given : given;
  if (index < 0 || index > list.length) throw fault(`Unable to access invalid index: ${given}: invalid index referenced`);
  list.splice(index, 0, value);
}

function removeFrom(container: JsonObject | readonly JsonValue[], key: string, path: string): void {
  if (isList(container)) {
    if (!/^-?\d+$/.test(key)) {
      const fault = `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
      throw new PatchError(`error in remove for path: '${path}': ${fault}`);
    }
    const index = existingIndex(container, key);
    if (index === undefined)
      throw new PatchError(`error in remove for path: '${path}': Unable to access invalid index: ${key}: invalid index referenced`);
    (container as JsonValue[]).splice(index, 1);
    return;
  }
  if (!Object.hasOwn(container, key))
    throw new PatchError(`error in remove for path: '${path}': Unable to remove nonexistent key: ${key}: missing value`);
  delete (container as { [key: string]: JsonValue })[key];
}

function replaceIn(container: JsonObject | readonly JsonValue[], key: string, value: JsonValue, path: string): void {
  if (isList(container) && existingIndex(container, key) === undefined)
    throw new PatchError(`replace operation does not apply: doc is missing key: ${path}: missing value`);
  setIn(container, isList(container) ? String(existingIndex(container, key)) : key, value);
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

function test(document: JsonValue, { path, value }: Operation): void {
  const actual = find(document, path);
  if (actual === undefined && find(document, path.slice(0, Math.max(0, path.lastIndexOf("/")))) === undefined) {
    throw new PatchError(`test operation does not apply: is missing path: ${path}: missing value`);
  }
  const expected = value ?? null;
  if (deepEqual(actual ?? null, expected)) return;
  throw new PatchError(`testing value ${path} failed: test failed`);
}
