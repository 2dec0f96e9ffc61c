// What is said of patches that cannot be applied (endpoints/handlers/patch.go): a strategic merge patch is merged as a tree
// and shown as Go prints one, the others are merged as JSON.

import { badRequest, invalid, otherFailure } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { goMap, type PatchError } from "#cluster/api/patch/directives.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";

const malformed: ReadonlySet<string> = new Set([
  "invalid JSON document",
  "invalid patch format of primitive list",
  "invalid patch format of retainKeys",
  "invalid patch format of setElementOrder list",
  "strategic merge patch format is not supported",
]);
const unfitting: ReadonlySet<string> = new Set(["lists of lists are not supported", "patch content doesn't match retainKeys list"]);

/** What the server answers to a strategic merge patch that cannot be merged: a plain 500 where nobody thought of it. */
export function strategicRefusal({ message }: PatchError): Error {
  if (malformed.has(message)) return badRequest(message);
  return unfitting.has(message) ? unprocessable() : otherFailure(500, "", message);
}

export function unprocessable(): Error {
  return otherFailure(422, "Invalid", "the server rejected our request due to an error in our request", {});
}

/** A patch whose result is no object of the kind; `shown` is what the patch, or its result, looks like. */
export function invalidPatch(shown: string, cause: string): Error {
  const errors = new FieldErrors();
  errors.invalid(field("patch"), shown, cause);
  return invalid({ group: "", resource: "" }, "", errors.causes);
}

/** The same for a strategic merge patch: a tree is no JSON, so its faults have other words. */
export function invalidStrategicPatch(patch: JsonValue, cause: string): Error {
  return invalidPatch(goMap(patch), treeFault(cause));
}

const mismatch = /^json: cannot unmarshal (\w+)\b.* of type (.+)$/;
const kindsOfValues: { readonly [type: string]: string } = {
  object: "map",
  array: "slice",
  number: "int64",
  bool: "bool",
  string: "string",
};
const numbers: ReadonlySet<string> = new Set(["int32", "int64", "float64", "bool"]);

/** `json: cannot unmarshal string into … of type int32` → `unrecognized type: int32` */
function treeFault(cause: string): string {
  const [, value = "", type = ""] = mismatch.exec(cause) ?? [];
  if (type === "") return cause;
  const kind = kindsOfValues[value] ?? value;
  if (type.startsWith("[]")) return `cannot restore slice from ${kind}`;
  if (type.startsWith("map[")) return `cannot restore map from ${kind}`;
  if (numbers.has(type)) return `unrecognized type: ${type}`;
  return type.startsWith("v1.") ? `cannot restore struct from: ${kind}` : "unrecognized type: string";
}
