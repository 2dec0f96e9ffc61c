// Embedded resources have a type and metadata that any object may have (apiextensions-apiserver, pkg/apiserver/schema/objectmeta).

import type { ObjectMeta } from "#cluster/api/generated/types.ts";
import { dns1035LabelReasons, pathSegmentPrefixReasons, pathSegmentReasons } from "#cluster/api/names.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { isList, isObject, type JsonObject } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { FieldErrors, Path } from "../field-errors.ts";
import { additionalOf, itemsOf, propertyOf, type Schema } from "./structural-schema.ts";

export function validateEmbedded(value: JsonValue, schema: Schema | undefined, path: Path, errors: FieldErrors): void {
  if (schema === undefined) return;
  if (isList(value)) {
    const items = itemsOf(schema);
    if (items !== undefined)
      value.forEach((item, index) => {
        validateEmbedded(item, items, path.index(index), errors);
      });
    return;
  }
  if (!isObject(value)) return;
  if (schema["x-kubernetes-embedded-resource"] === true) validateResource(value, path, errors);
  const additional = additionalOf(schema);
  for (const [name, field] of Object.entries(value)) {
    const property = propertyOf(schema, name);
    if (property !== undefined) validateEmbedded(field, property, path.child(name), errors);
    else if (additional !== undefined) validateEmbedded(field, additional, path.key(name), errors);
  }
}

function validateResource(resource: JsonObject, path: Path, errors: FieldErrors): void {
  const { apiVersion, kind, metadata } = resource;
  if (apiVersion === undefined) errors.required(path.child("apiVersion"));
  if (kind === undefined) errors.required(path.child("kind"));
  if (apiVersion !== undefined) validateApiVersion(apiVersion, path.child("apiVersion"), errors);
  if (kind !== undefined) validateKind(kind, path.child("kind"), errors);
  if (isObject(metadata)) validateNames(metadata as ObjectMeta, path.child("metadata"), errors);
}

function validateApiVersion(value: JsonValue, path: Path, errors: FieldErrors): void {
  if (typeof value !== "string") errors.invalid(path, value, "must be a string");
  else if (value === "") errors.invalid(path, value, "must not be empty");
  else if (value.split("/").length > 2) errors.invalid(path, value, `unexpected GroupVersion string: ${value}`);
}

function validateKind(value: JsonValue, path: Path, errors: FieldErrors): void {
  if (typeof value !== "string") errors.invalid(path, value, "must be a string");
  else if (value === "") errors.invalid(path, value, "must not be empty");
  else {
    const reasons = dns1035LabelReasons(asciiLowerCase(value));
    if (reasons.length > 0) errors.invalid(path, value, `may have mixed case, but should otherwise match: ${reasons.join(",")}`);
  }
}

function validateNames({ name, generateName }: ObjectMeta, path: Path, errors: FieldErrors): void {
  if (generateName) {
    for (const reason of pathSegmentPrefixReasons(generateName)) errors.invalid(path.child("generateName"), generateName, reason);
  }
  if (name) for (const reason of pathSegmentReasons(name)) errors.invalid(path.child("name"), name, reason);
}
