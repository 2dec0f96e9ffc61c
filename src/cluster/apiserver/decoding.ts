// From a value to an object of the kind. `request-bodies.ts` reads clients' texts.

import { DecodeError, decodeObject } from "#cluster/api/decode.ts";
import { groupVersionOf, type JsonValue, type KubeObject } from "#cluster/api/objects.ts";
import { isObject, jsonKind } from "#cluster/api/wire.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";

/** `fieldValidation`: unknown and duplicate fields refuse the request, are warned about, or are dropped in silence. */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

/** Applies the schema of the kind. */
export function decodeTyped(
  definition: ResourceDefinition,
  value: JsonValue,
  refuse: (cause: string) => Error,
): { readonly object: KubeObject; readonly strictErrors: readonly string[] } {
  try {
    const { value: typed, strictErrors } =
      definition.schemaType === undefined ? coerced(definition, value) : decodeObject(definition.schemaType, value);
    const metadata = isObject(typed["metadata"]) ? typed["metadata"] : {};
    return {
      object: { ...typed, apiVersion: groupVersionOf(definition), kind: definition.kind, metadata } as KubeObject,
      strictErrors,
    };
  } catch (error) {
    if (error instanceof DecodeError) throw refuse(error.message);
    throw error;
  }
}

function coerced(definition: ResourceDefinition, value: JsonValue): ReturnType<typeof decodeObject> {
  const fields = value as { readonly [field: string]: JsonValue };
  if (definition.coerce === undefined) return { value: fields, strictErrors: [] };
  const result = definition.coerce(fields);
  return { value: result.value, strictErrors: result.unknownFields.map((path) => `unknown field ${JSON.stringify(path)}`) };
}

export function jsonType(value: JsonValue): string {
  if (value === null) return "null";
  return jsonKind(value);
}
