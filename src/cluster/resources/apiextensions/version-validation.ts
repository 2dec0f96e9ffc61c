// The rules for the parts of one version of a CustomResourceDefinition: schema, subresources, columns, selectable fields.

import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  SelectableField,
} from "#cluster/api/generated/types.ts";
import { FieldErrors, type Path } from "../field-errors.ts";
import { validateDefaults } from "./default-validation.ts";
import { validateSchema } from "./schema-validation.ts";
import { parseSimplePath, SimplePathError } from "./simple-path.ts";
import type { Schema } from "./structural-schema.ts";
import { isConvertible, validateStructural } from "./structural-validation.ts";

type Version = CustomResourceDefinitionVersion;

const maxSelectableFields = 8;
const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

export function validateDeprecation({ deprecated, deprecationWarning: warning }: Version, path: Path, errors: FieldErrors): void {
  if (warning === undefined) return;
  if (deprecated !== true) {
    errors.invalid(path, warning, "can only be set for deprecated versions");
    return;
  }
  if (warning.length > 256) errors.invalid(path, warning, "must be <= 256 characters long");
  if (warning === "") errors.invalid(path, warning, "must not be an empty string");
  const control = warning.search(/[\u0000-\u001f\u007f-\u009f]/);
  if (control >= 0) {
    const detail = `must only contain printable UTF-8 characters; non-printable character found at index ${control}`;
    errors.invalid(path, warning, detail);
  }
}

/** Fields of a root schema beside those that a status taken out of it would lose, in upstream's order. */
const lostAtRoot = [
  "allOf",
  "oneOf",
  "anyOf",
  "not",
  "nullable",
  "default",
  "enum",
  "maxProperties",
  "minProperties",
  "additionalProperties",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
] as const;
const allowedAtRoot =
  "[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]";

export function validateVersionSchema(
  schema: Schema | undefined,
  subresources: CustomResourceSubresources | undefined,
  path: Path,
  errors: FieldErrors,
): void {
  if (schema === undefined) return;
  const found = new FieldErrors();
  if (subresources?.status !== undefined) {
    const detail = "allowed as the type at the root of the schema if the status subresource is enabled";
    if (schema.type && schema.type !== "object") found.invalid(path.child("type"), schema.type, `only "object" is ${detail}`);
    else if (lostAtRoot.some((name) => schema[name] !== undefined && schema[name] !== false)) {
      const only = `only ${allowedAtRoot} fields are allowed at the root of the schema if the status subresource is enabled`;
      found.invalid(path, schema, only);
    }
  }
  if (schema.nullable === true) found.forbidden(path.child("nullable"), "nullable cannot be true at the root");
  const before = found.causes.length;
  const convertible = isConvertible(schema);
  if (convertible) validateStructural(schema, path, found);
  if (convertible && found.causes.length === before) validateDefaults(schema, path, found);
  validateSchema(schema, path, convertible && found.causes.length === before, found);
  errors.causes.push(...found.causes);
}

export function validateSubresources(subresources: CustomResourceSubresources | undefined, path: Path, errors: FieldErrors): void {
  const scale = subresources?.scale;
  if (scale === undefined) return;
  const replicas = [
    ["specReplicasPath", scale.specReplicasPath, ".spec."],
    ["statusReplicasPath", scale.statusReplicasPath, ".status."],
  ] as const;
  for (const [name, value, prefix] of replicas) {
    const at = path.child("scale", name);
    if (value === "") errors.required(at);
    else if (validateJsonPath(value, at, errors) && !value.startsWith(prefix)) {
      errors.invalid(at, value, `should be a json path under ${prefix.slice(0, -1)}`);
    }
  }
  const { labelSelectorPath: selector } = scale;
  if (!selector) return;
  const at = path.child("scale", "labelSelectorPath");
  if (validateJsonPath(selector, at, errors) && !/^\.(spec|status)\./.test(selector)) {
    errors.invalid(at, selector, "should be a json path under either .spec or .status");
  }
}

function validateJsonPath(value: string, path: Path, errors: FieldErrors): boolean {
  if (value.startsWith(".")) return true;
  errors.invalid(path, value, "must be a simple json path starting with .");
  return false;
}

export function validateColumns(columns: readonly CustomResourceColumnDefinition[] = [], path: Path, errors: FieldErrors): void {
  columns.forEach(({ name, type, format, jsonPath }, index) => {
    const at = path.index(index);
    if (name === "") errors.required(at.child("name"));
    const known = `must be one of ${columnTypes.join(",")}`;
    if (type === "") errors.required(at.child("type"), known);
    else if (!columnTypes.includes(type)) errors.invalid(at.child("type"), type, known);
    if (format && !columnFormats.includes(format))
      errors.invalid(at.child("format"), format, `must be one of ${columnFormats.join(",")}`);
    if (jsonPath === "") errors.required(at.child("JSONPath"));
    else validateJsonPath(jsonPath, at.child("JSONPath"), errors);
  });
}

export function validateSelectable(
  fields: readonly SelectableField[] = [],
  schema: Schema | undefined,
  path: Path,
  errors: FieldErrors,
): void {
  if (fields.length === 0 || schema === undefined) return;
  const seen = new Set<string>();
  fields.forEach(({ jsonPath }, index) => {
    const at = path.index(index).child("jsonPath");
    if (jsonPath === "") {
      errors.required(at);
      return;
    }
    try {
      const { text, names, schema: found } = parseSimplePath(jsonPath, schema, false);
      if (names[0] === "metadata") errors.invalid(at, jsonPath, "must not point to fields in metadata");
      if (!["string", "boolean", "integer"].includes(found?.type ?? "")) {
        const detail =
          "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
        errors.invalid(at, jsonPath, detail);
      }
      if (seen.has(text)) errors.duplicate(at, jsonPath);
      seen.add(text);
    } catch (error) {
      if (!(error instanceof SimplePathError)) throw error;
      errors.invalid(at, jsonPath, `is an invalid path: ${error.message}`);
    }
  });
  if (seen.size > maxSelectableFields) errors.tooMany(path, seen.size, maxSelectableFields);
}
