// Whether a schema is structural: every field that it says something of is declared outside of value validations
// (allOf, anyOf, oneOf, not), which declare nothing themselves (apiextensions-apiserver, pkg/apiserver/schema/validation.go).

import { deepEqual } from "#cluster/api/equality.ts";
import { GoRegExpError, goRegExp } from "#cluster/api/go-regexp/go-regexp.ts";
import { isObject } from "#cluster/api/wire.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import { FieldErrors, type Path } from "../field-errors.ts";
import { additionalOf, itemsOf, propertyOf, type Schema, someSchema } from "./structural-schema.ts";

type Level = "root" | "item" | "field";

/** What a structural schema cannot be made of; it is refused elsewhere. */
export function isConvertible(schema: Schema): boolean {
  return !someSchema(
    schema,
    (one) =>
      Boolean(one.id) ||
      one.additionalItems !== undefined ||
      Object.keys(one.patternProperties ?? {}).length > 0 ||
      Object.keys(one.definitions ?? {}).length > 0 ||
      one.dependencies !== undefined ||
      one.$ref !== undefined ||
      one.type === "null" ||
      Array.isArray(one.items),
  );
}

/** Errors come sorted. */
export function validateStructural(schema: Schema, path: Path, errors: FieldErrors): void {
  const found = new FieldErrors();
  invariants(schema, "root", path, found);
  completeness(schema, schema, path, path, found);
  const sorted = [...found.causes].sort((a, b) => compareTexts(`${a.field}: ${a.message}`, `${b.field}: ${b.message}`));
  errors.causes.push(...sorted);
}

function invariants(schema: Schema, level: Level, path: Path, errors: FieldErrors): void {
  const { type = "", properties = {}, additionalProperties } = schema;
  const items = itemsOf(schema);
  if (type === "array" && items === undefined) errors.required(path.child("items"), "must be specified");
  if (items !== undefined) invariants(items, "item", path.child("items"), errors);
  for (const [name, property] of Object.entries(properties))
    invariants(property, "field", path.child("properties").key(name), errors);
  if (additionalProperties !== undefined) {
    if (level === "root") errors.forbidden(path.child("additionalProperties"), "must not be used at the root");
    const additional = additionalOf(schema);
    if (additional !== undefined) invariants(additional, "field", path.child("additionalProperties"), errors);
  }
  extensions(schema, path, errors);
  valueValidation(
    schema,
    { anyOf: isIntOrString(schema.anyOf), first: isIntOrString(schema.allOf?.[0]?.anyOf) },
    level,
    path,
    errors,
  );
  typeRules(schema, level, path, errors);
  resourceRules(schema, level, path, errors);
}

function extensions(schema: Schema, path: Path, errors: FieldErrors): void {
  if (schema["x-kubernetes-int-or-string"] !== true) return;
  for (const name of ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const) {
    if (schema[name] === true) errors.invalid(path.child(name), true, "must be false if x-kubernetes-int-or-string is true");
  }
}

const missingType: { readonly [level in Level]: string } = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function typeRules(schema: Schema, level: Level, path: Path, errors: FieldErrors): void {
  const { type = "" } = schema;
  const at = path.child("type");
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  const isFree = schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (embedded && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    if (type === "") errors.required(at, detail);
    else errors.invalid(at, type, detail);
  } else if (type === "" && !isFree) errors.required(at, missingType[level]);
  if (embedded && schema.additionalProperties !== undefined) {
    errors.forbidden(path.child("additionalProperties"), "must not be used if x-kubernetes-embedded-resource is set");
  }
  if (level === "root" && type !== "" && type !== "object") errors.invalid(at, type, "must be object at the root");
}

function resourceRules(schema: Schema, level: Level, path: Path, errors: FieldErrors): void {
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  const isResource = level === "root" || embedded;
  for (const name of ["kind", "apiVersion"]) {
    const property = propertyOf(schema, name);
    if (!isResource || property === undefined || property.type === "string") continue;
    errors.invalid(path.child("properties").key(name).child("type"), property.type ?? "", "must be string");
  }
  const metadata = propertyOf(schema, "metadata");
  if (metadata !== undefined) {
    const at = path.child("properties").key("metadata");
    if (isResource && metadata.type !== "object") errors.invalid(at.child("type"), metadata.type ?? "", "must be object");
    if (level === "root" && !restrictsNamesOnly(metadata)) {
      errors.forbidden(at, "must not specify anything other than name and generateName, but metadata is implicitly specified");
    }
  }
  const preserves = schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (embedded && !preserves && Object.keys(schema.properties ?? {}).length === 0) {
    errors.required(
      path.child("properties"),
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
    );
  }
}

function restrictsNamesOnly({ type: _type, default: _default, properties = {}, ...rest }: Schema): boolean {
  return Object.keys(properties).every((name) => name === "name" || name === "generateName") && Object.keys(rest).length === 0;
}

function isIntOrString(anyOf: readonly Schema[] | undefined): boolean {
  return deepEqual(anyOf, [{ type: "integer" }, { type: "string" }]);
}

/** Where `anyOf` only says "number or text", which may carry types: in the schema itself, in the first of its `allOf`. */
interface IntOrString {
  readonly anyOf: boolean;
  readonly first: boolean;
}

function valueValidation(schema: Schema, intOrString: IntOrString, level: Level, path: Path, errors: FieldErrors): void {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern } = schema;
  if (!intOrString.anyOf)
    anyOf.forEach((inner, index) => {
      nested(inner, false, level, path.child("anyOf").index(index), errors);
    });
  allOf.forEach((inner, index) => {
    nested(inner, intOrString.first && index === 0, level, path.child("allOf").index(index), errors);
  });
  oneOf.forEach((inner, index) => {
    nested(inner, false, level, path.child("oneOf").index(index), errors);
  });
  if (not !== undefined) nested(not, false, level, path.child("not"), errors);
  if (!pattern) return;
  try {
    goRegExp(pattern);
  } catch (error) {
    if (!(error instanceof GoRegExpError)) throw error;
    errors.invalid(path.child("pattern"), pattern, `must be a valid regular expression, but isn't: ${error.message}`);
  }
}

const forbidden: readonly (readonly [keyof Schema, string])[] = [
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

function nested(schema: Schema, skipAnyOf: boolean, level: Level, path: Path, errors: FieldErrors): void {
  valueValidation(schema, { anyOf: skipAnyOf, first: false }, level, path, errors);
  const items = itemsOf(schema);
  if (items !== undefined) nested(items, false, level, path.child("items"), errors);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    nested(property, false, "field", path.child("properties").key(name), errors);
  }
  if (schema.type) errors.forbidden(path.child("type"), "must be empty to be structural");
  if (schema.additionalProperties !== undefined) {
    errors.forbidden(path.child("additionalProperties"), "must be undefined to be structural");
  }
  for (const [name, detail] of forbidden) if (isSet(schema[name])) errors.forbidden(path.child(name), detail);
  if (propertyOf(schema, "metadata") !== undefined) {
    errors.forbidden(path.child("properties").key("metadata"), "must not be specified in a nested context");
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** What value validations speak of must be declared. */
function completeness(validation: Schema, declared: Schema | undefined, path: Path, at: Path, errors: FieldErrors): void {
  const { not, allOf = [], anyOf = [], oneOf = [] } = validation;
  if (not !== undefined) nestedCompleteness(not, declared, path, at.child("not"), errors);
  for (const [name, list] of [
    ["allOf", allOf],
    ["anyOf", anyOf],
    ["oneOf", oneOf],
  ] as const) {
    list.forEach((inner, index) => {
      nestedCompleteness(inner, declared, path, at.child(name).index(index), errors);
    });
  }
}

function nestedCompleteness(validation: Schema, declared: Schema | undefined, path: Path, at: Path, errors: FieldErrors): void {
  if (declared === undefined) {
    errors.required(path, `because it is defined in ${at}`);
    return;
  }
  completeness(validation, declared, path, at, errors);
  const items = itemsOf(validation);
  if (items !== undefined) nestedCompleteness(items, itemsOf(declared), path.child("items"), at.child("items"), errors);
  for (const [name, property] of Object.entries(validation.properties ?? {})) {
    const [own, theirs] = [path.child("properties").key(name), at.child("properties").key(name)];
    const known = propertyOf(declared, name);
    if (known === undefined || !isObject(known)) errors.required(own, `because it is defined in ${theirs}`);
    else nestedCompleteness(property, known, own, theirs, errors);
  }
}
