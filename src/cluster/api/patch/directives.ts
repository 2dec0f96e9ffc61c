// The words of strategic merge patch: keys that begin with `$`, and what the schema says of the fields they are about.

import type { ListRule } from "../merge-keys.ts";
import { fieldsOf, type TypeSchema } from "../schema.ts";
import { isList, isObject, type JsonValue } from "../wire.ts";

export const patchDirective = "$patch";
export const retainKeysDirective = "$retainKeys";
export const setElementOrderPrefix = "$setElementOrder/";
export const deleteFromPrimitiveListPrefix = "$deleteFromPrimitiveList/";

/** A patch that cannot be made or applied; the message is apimachinery's. The API server answers 400 or 422 with it. */
export class PatchError extends Error {}

/** What is known of a field that a patch touches. */
export interface FieldMerge {
  /** The type of the field, or of the list's elements; undefined: nothing is known, take values as they are. */
  readonly type: TypeSchema | undefined;
  readonly rule: ListRule | undefined;
}

const unknownField: FieldMerge = { type: undefined, rule: undefined };

/** Looks a field up in the type of the object that holds it. Throws PatchError when a built-in type has no such field. */
export function fieldMerge(owner: TypeSchema | undefined, field: string): FieldMerge {
  if (owner === undefined || owner.kind === "any") return unknownField;
  if (owner.kind === "map") return { type: elementOf(owner.of), rule: undefined };
  if (owner.kind !== "object") return unknownField;
  const schema = fieldsOf(owner.name).get(field);
  if (schema === undefined) {
    throw new PatchError(`unable to find api field in struct ${owner.name} for the json field ${JSON.stringify(field)}`);
  }
  return { type: elementOf(schema.type), rule: schema.rule };
}

function elementOf(type: TypeSchema): TypeSchema {
  return type.kind === "list" ? type.of : type;
}

export function isDeleteItem(value: JsonValue): boolean {
  return isObject(value) && value[patchDirective] === "delete";
}

/** The value of a list item's merge key. Throws PatchError when the item is no object or has no such key. */
export function mergeKeyValue(item: JsonValue, mergeKey: string): JsonValue {
  if (!isObject(item)) throw badArgument("map", item);
  const value = item[mergeKey];
  if (value === undefined) throw new PatchError(`map: ${goMap(item)} does not contain declared merge key: ${mergeKey}`);
  return value;
}

export function badArgument(expected: "map" | "slice", actual: JsonValue): PatchError {
  return new PatchError(`expected a ${expected}, but received a ${goKind(actual)}`);
}

function goKind(value: JsonValue): string {
  if (isObject(value)) return "map";
  if (isList(value)) return "slice";
  if (value === null) return "<nil>";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int64";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return "string";
}

/** An object as Go prints a map with %v: `map[name:web ports:[80 81]]`. */
export function goMap(value: JsonValue): string {
  if (isObject(value)) {
    const entries = Object.keys(value).sort();
    return `map[${entries.map((key) => `${key}:${goMap(value[key] as JsonValue)}`).join(" ")}]`;
  }
  if (isList(value)) return `[${value.map(goMap).join(" ")}]`;
  return value === null ? "<nil>" : String(value);
}
