// Fields named by kind and path, and the way to them: lists on the way are gone through.

import type { JsonValue } from "#cluster/api/wire.ts";
import { isArray, isObject, type JsonObject } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { bareKey } from "./bare-keys.ts";
import { wrongNode } from "./node-text.ts";
import { groupAndVersion, idOfObject, idText, isOfKind, type KindSpec, type Resource, withObject } from "./resource.ts";

export interface FieldSpec extends KindSpec {
  /** With slashes between; `[]` after a name: nothing is made there; `\/` is a slash in a name. */
  readonly path: string;
  /** Made when it is not there. */
  readonly create?: boolean;
}

/** What is made where nothing is. */
type Made = "map" | "text";

/**
 * The resource with `change` applied to every value at the spec's path, when it is of the spec's kind. Throws KubectlError when
 * the path leads through a scalar.
 */
export function withField(resource: Resource, spec: FieldSpec, change: (value: JsonValue) => JsonValue, made?: Made): Resource {
  const { object } = resource;
  const kind = object["kind"];
  if (!isOfKind({ ...groupAndVersion(object), kind: typeof kind === "string" ? kind : "" }, spec)) return resource;
  try {
    const next = changed(object, pathOf(spec.path), change, spec.create === true ? made : undefined);
    return isObject(next) ? withObject(resource, next) : resource;
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    throw new KubectlError(`considering field '${spec.path}' of object ${idText(idOfObject(object))}: ${error.message}`);
  }
}

function pathOf(path: string): readonly string[] {
  return path
    .replace(/^\//, "")
    .split(/(?<!\\)\//)
    .map((part) => part.replaceAll("\\/", "/"));
}

function changed(
  value: JsonValue,
  path: readonly string[],
  change: (value: JsonValue) => JsonValue,
  made: Made | undefined,
): JsonValue {
  const [first, ...rest] = path;
  if (first === undefined) return change(value);
  if (value === null) return null;
  if (isArray(value)) {
    try {
      return mapped(value, (item) => changed(item, path, change, made));
    } catch (error) {
      if (!(error instanceof KubectlError)) throw error;
      throw new KubectlError(`visit traversal on path: [${path.join(" ")}]: ${error.message}`);
    }
  }
  if (!isObject(value)) throw new KubectlError("expected sequence or mapping node");
  const isList = first.endsWith("[]");
  const name = isList ? first.slice(0, -2) : first;
  const makes = made !== undefined && !isList;
  let inner = value[name];
  if (makes && (inner === undefined || inner === null)) inner = rest.length > 0 || made === "map" ? {} : "";
  if (inner === undefined) return value;
  const next = changed(inner, rest, change, made);
  return next === value[name] ? value : { ...value, [name]: next };
}

function mapped(values: readonly JsonValue[], change: (value: JsonValue) => JsonValue): readonly JsonValue[] {
  const next = values.map(change);
  return next.every((item, index) => item === values[index]) ? values : next;
}

/** Adds specs that are not there yet. Throws KubectlError when two disagree about whether to make the field. */
export function mergedSpecs(specs: readonly FieldSpec[], more: readonly FieldSpec[]): readonly FieldSpec[] {
  const result = [...specs];
  for (const spec of more) {
    const same = result.find((one) => one.path === spec.path && isOfKind(one, spec));
    if (same === undefined) result.push(spec);
    else if ((same.create === true) !== (spec.create === true)) throw new KubectlError("conflicting fieldspecs");
  }
  return result;
}

/** Specs of one path for several kinds, `Job.batch` with its group. */
export function specsFor(kinds: string, path: string, create = false, version?: string): readonly FieldSpec[] {
  return kinds.split(" ").map((word) => {
    const [kind = "", group] = word.split(/\.(.*)/s);
    const of = { kind, ...(group === undefined ? {} : { group }), ...(version === undefined ? {} : { version }) };
    return { ...of, path, create };
  });
}

/** Sets a key of the map at a place. */
export function withEntry(value: JsonValue, key: string, entry: JsonValue): JsonObject {
  if (!isObject(value)) throw new KubectlError(wrongNode("MappingNode", value));
  return { ...value, [Object.hasOwn(value, key) ? key : bareKey(key)]: entry };
}
