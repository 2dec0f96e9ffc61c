// For tests: what a kind's declaration finds wrong with an object, as the texts of its causes.

import { deepFreeze } from "#cluster/api/equality.ts";
import { groupVersionOf, type JsonValue, type KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition, TableCell } from "./definition.ts";
import { testFacts } from "./facts.test-kit.ts";
import { FieldErrors } from "./field-errors.ts";

/** 2026-01-01T00:00:00Z */
const madeMs = 1_767_225_600_000;

type Fields = { readonly [field: string]: JsonValue };

/** An object of the kind with what its definition adds to a new one; `fields` may bring metadata. */
export function madeBy(definition: ResourceDefinition, fields: Fields, name = "thing"): KubeObject {
  const { metadata = {}, ...rest } = fields as { readonly metadata?: Fields };
  const draft = deepFreeze({
    apiVersion: groupVersionOf(definition),
    kind: definition.kind,
    metadata: {
      name,
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...(definition.namespaced ? { namespace: "default" } : {}),
      ...metadata,
    },
    ...rest,
  }) as KubeObject;
  const defaulted = definition.defaults?.(draft) ?? draft;
  return deepFreeze(definition.prepareForCreate?.(defaulted, testFacts) ?? defaulted);
}

/** `spec.type: Required value`, in order. */
export function faultsOf(definition: ResourceDefinition, fields: Fields): readonly string[] {
  return found((errors) => definition.validate?.(madeBy(definition, fields), errors));
}

/** What is wrong with a change of the first object to the second. */
export function updateFaultsOf(definition: ResourceDefinition, before: Fields, after: Fields): readonly string[] {
  const old = madeBy(definition, before);
  const draft = madeBy(definition, after);
  const object = deepFreeze(definition.prepareForUpdate?.(draft, old) ?? draft);
  return found((errors) => definition.validateUpdate?.(object, old, errors));
}

export function statusFaultsOf(definition: ResourceDefinition, fields: Fields, status: JsonValue): readonly string[] {
  const old = madeBy(definition, fields);
  return found((errors) => definition.validateStatusUpdate?.(deepFreeze({ ...old, status }), old, errors));
}

export function warningsOf(definition: ResourceDefinition, fields: Fields): readonly string[] {
  return definition.warnings?.(madeBy(definition, fields), undefined) ?? [];
}

/** The row of a table ten minutes after the object was made, with the heads of its columns; wide ones are in brackets. */
export function rowOf(definition: ResourceDefinition, fields: Fields, name = "thing"): { readonly [head: string]: TableCell } {
  const { metadata, status, ...rest } = fields as { readonly metadata?: Fields; readonly status?: JsonValue };
  const made = madeBy(definition, { ...rest, ...(metadata === undefined ? {} : { metadata }) }, name);
  const object = status === undefined ? made : ({ ...made, status } as KubeObject);
  const cells = definition.row(object, { nowMs: madeMs + 600_000 });
  return Object.fromEntries(
    definition.columns.map((column, index) => [
      column.priority === 1 ? `(${column.name})` : column.name,
      cells[index] as TableCell,
    ]),
  );
}

function found(validate: (errors: FieldErrors) => void): readonly string[] {
  const errors = new FieldErrors();
  validate(errors);
  return errors.causes.map(({ field, message }) => `${field}: ${message}`);
}
