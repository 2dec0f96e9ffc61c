// For tests of kinds: what the API server's pipeline does to one object, without the server.

import type { KubeObject, ObjectMeta } from "#cluster/api/objects.ts";
import type { ResourceDefinition, TableCell } from "./definition.ts";
import { testFacts } from "./facts.test-kit.ts";
import { FieldErrors } from "./field-errors.ts";

/** Fields of an object of the kind; metadata is filled up. */
export interface Draft {
  readonly metadata?: ObjectMeta;
  readonly [field: string]: unknown;
}

/** `spec.replicas: Invalid value: -1: must be …` for each cause, in order. */
function textsOf(errors: FieldErrors): readonly string[] {
  return errors.causes.map(({ field, message }) => `${field}: ${message}`);
}

function completed(definition: ResourceDefinition, draft: Draft): KubeObject {
  const { group, version, kind } = definition;
  const metadata = { name: "web", namespace: "default", uid: "uid-1", generation: 1, ...draft.metadata };
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind, ...draft, metadata };
}

/** A new object after defaults and the kind's strategy. */
export function created(definition: ResourceDefinition, draft: Draft): KubeObject {
  const object = completed(definition, draft);
  const whole = definition.defaults?.(object) ?? object;
  return definition.prepareForCreate?.(whole, testFacts) ?? whole;
}

/** Why a new object is refused. */
export function createFaults(definition: ResourceDefinition, draft: Draft): readonly string[] {
  const errors = new FieldErrors();
  definition.validate?.(created(definition, draft), errors);
  return textsOf(errors);
}

/** An object after an update with another draft; the generation is the pipeline's business but for what the kind adds. */
export function updated(definition: ResourceDefinition, old: KubeObject, draft: Draft): KubeObject {
  const object = completed(definition, { ...draft, metadata: { ...old.metadata, ...draft.metadata } });
  const whole = definition.defaults?.(object) ?? object;
  return definition.prepareForUpdate?.(whole, old) ?? whole;
}

/** Why an update of the object that `before` makes is refused. */
export function updateFaults(definition: ResourceDefinition, before: Draft, after: Draft): readonly string[] {
  const old = created(definition, before);
  const errors = new FieldErrors();
  definition.validateUpdate?.(updated(definition, old, after), old, errors);
  return textsOf(errors);
}

/** Why a status is refused where `before` is stored. */
export function statusFaults(definition: ResourceDefinition, before: Draft, status: object): readonly string[] {
  const old = { ...created(definition, before), ...(before["status"] === undefined ? {} : { status: before["status"] }) };
  const errors = new FieldErrors();
  definition.validateStatusUpdate?.({ ...old, status }, old, errors);
  return textsOf(errors);
}

/** The first column's name to the last's, and an object's cells; `wide` adds those of `-o wide`. */
export function shown(
  definition: ResourceDefinition,
  draft: Draft,
  options: { readonly wide?: boolean; readonly nowMs?: number } = {},
): readonly (readonly [name: string, cell: TableCell])[] {
  const cells = definition.row(completed(definition, draft), { nowMs: options.nowMs ?? 0 });
  return definition.columns
    .map((column, index) => [column, cells[index] as TableCell] as const)
    .filter(([column]) => options.wide === true || (column.priority ?? 0) === 0)
    .map(([column, cell]) => [column.name.toUpperCase(), cell]);
}
