// Defaults in a schema must be what the schema allows, without unknown fields (apiextensions-apiserver,
// pkg/apiserver/schema/defaulting/validation.go).

import { deepEqual } from "#cluster/api/equality.ts";
import { isObject } from "#cluster/api/wire.ts";
import { FieldErrors, type Path } from "../field-errors.ts";
import { pruneValue } from "./coercion.ts";
import { validateEmbedded } from "./embedded-resources.ts";
import { hasRules, validateDefaultRules } from "./rules.ts";
import { itemsOf, resourceFields, type Schema } from "./structural-schema.ts";
import { validateValue } from "./value-validation.ts";

/** `root`: the schema of a whole resource. */
export function validateDefaults(root: Schema, path: Path, errors: FieldErrors): void {
  visit(root, path, false, true, errors);
}

function visit(schema: Schema, path: Path, insideMetadata: boolean, isRoot: boolean, errors: FieldErrors): void {
  const isResource = isRoot || schema["x-kubernetes-embedded-resource"] === true;
  const inMetadata = insideMetadata && !isResource;
  if (schema.default !== undefined && schema.default !== null) validateDefault(schema, path.child("default"), inMetadata, errors);
  // Below additionalProperties there are no defaults.
  const items = itemsOf(schema);
  if (items !== undefined) visit(items, path.child("items"), inMetadata, false, errors);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isMetadata = inMetadata || (isResource && resourceFields.has(name));
    visit(property, path.child("properties").key(name), isMetadata, false, errors);
  }
}

function validateDefault(schema: Schema, path: Path, insideMetadata: boolean, errors: FieldErrors): void {
  const value = schema.default ?? null;
  if (!insideMetadata) {
    const embedded = schema["x-kubernetes-embedded-resource"] === true;
    const known = embedded && isObject(value) ? schema : { ...schema, "x-kubernetes-embedded-resource": false };
    if (!deepEqual(pruneValue(value, known, "default", []), value)) errors.invalid(path, value, "must not have unknown fields");
  }
  const found = new FieldErrors();
  validateEmbedded(value, schema, path, found);
  if (found.isEmpty) validateValue(value, schema, path.toString(), undefined, found);
  if (found.isEmpty && hasRules(schema)) {
    validateDefaultRules(value, schema, path, { value }, found);
    if (found.isEmpty) validateDefaultRules(value, schema, path, undefined, found);
  }
  errors.causes.push(...found.causes);
}
