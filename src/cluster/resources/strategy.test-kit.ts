// For tests of kinds: what the API server's pipeline does to one object, without the server: defaults, strategy, validation,
// warnings, a row of a table. Pods have more steps: core/pods/pod-case.test-kit.ts.

import { deepFreeze } from "#cluster/api/equality.ts";
import { groupVersionOf, type KubeObject, type ObjectMeta } from "#cluster/api/objects.ts";
import type { ResourceDefinition, TableCell, WriteFacts } from "./definition.ts";
import { FieldErrors } from "./field-errors.ts";

/** 2026-01-01T00:00:00Z, by an administrator. */
export const testFacts: WriteFacts = {
  nowMs: 1_767_225_600_000,
  user: { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] },
};

/** Fields of an object of the kind; metadata is filled up. */
export interface Draft {
  readonly metadata?: Partial<ObjectMeta>;
  readonly [field: string]: unknown;
}

/** `spec.replicas: Invalid value: -1: must be …` for each cause, in order. */
export function causesOf(validate: (errors: FieldErrors) => void): readonly string[] {
  const errors = new FieldErrors();
  validate(errors);
  return errors.causes.map(({ field, message }) => (field ? `${field}: ${message}` : message));
}

function completed(definition: ResourceDefinition, draft: Draft): KubeObject {
  const metadata = {
    name: "web",
    uid: "uid-1",
    generation: 1,
    creationTimestamp: "2026-01-01T00:00:00Z",
    ...(definition.namespaced ? { namespace: "default" } : {}),
    ...draft.metadata,
  };
  return deepFreeze({ apiVersion: groupVersionOf(definition), kind: definition.kind, ...draft, metadata });
}

/** A new object after defaults and the kind's strategy. */
export function created(definition: ResourceDefinition, draft: Draft): KubeObject {
  const object = completed(definition, draft);
  const whole = definition.defaults?.(object) ?? object;
  return deepFreeze(definition.prepareForCreate?.(whole, testFacts) ?? whole);
}

/** The object of a draft as it is stored some time later: with the draft's status. */
function stored(definition: ResourceDefinition, draft: Draft): KubeObject {
  const object = created(definition, draft);
  return draft["status"] === undefined ? object : deepFreeze({ ...object, status: draft["status"] });
}

/** An object after an update with another draft; the generation is the pipeline's business but for what the kind adds. */
export function updated(definition: ResourceDefinition, old: KubeObject, draft: Draft): KubeObject {
  const object = completed(definition, { ...draft, metadata: { ...old.metadata, ...draft.metadata } });
  const whole = definition.defaults?.(object) ?? object;
  return deepFreeze(definition.prepareForUpdate?.(whole, old) ?? whole);
}

/** Why a new object is refused. */
export function createFaults(definition: ResourceDefinition, draft: Draft): readonly string[] {
  return causesOf((errors) => definition.validate?.(created(definition, draft), errors));
}

/** Why an update of the object that `before` makes is refused. */
export function updateFaults(definition: ResourceDefinition, before: Draft, after: Draft): readonly string[] {
  const old = created(definition, before);
  return causesOf((errors) => definition.validateUpdate?.(updated(definition, old, after), old, errors));
}

/** Why a status is refused where `before` is stored. */
export function statusFaults(definition: ResourceDefinition, before: Draft, status: unknown): readonly string[] {
  const old = stored(definition, before);
  return causesOf((errors) => definition.validateStatusUpdate?.(deepFreeze({ ...old, status }), old, errors));
}

/** What the maker of a new object is told. */
export function createWarnings(definition: ResourceDefinition, draft: Draft): readonly string[] {
  return definition.warnings?.(created(definition, draft), undefined) ?? [];
}

/** As kubectl shows a row ten minutes after the object was made: heads and cells in order; `wide` adds those of `-o wide`. */
export function shown(
  definition: ResourceDefinition,
  draft: Draft,
  options: { readonly wide?: boolean; readonly nowMs?: number } = {},
): readonly (readonly [head: string, cell: TableCell])[] {
  return rowFor(definition, draft, options.nowMs)
    .filter(([column]) => options.wide === true || (column.priority ?? 0) === 0)
    .map(([column, cell]) => [column.name.toUpperCase(), cell]);
}

/** All cells by the heads that the server sends; heads of wide columns are in brackets. */
export function rowOf(definition: ResourceDefinition, draft: Draft): { readonly [head: string]: TableCell } {
  return Object.fromEntries(
    rowFor(definition, draft).map(([{ name, priority }, cell]) => [priority === 1 ? `(${name})` : name, cell]),
  );
}

function rowFor(
  definition: ResourceDefinition,
  draft: Draft,
  nowMs = testFacts.nowMs + 600_000,
): readonly (readonly [ResourceDefinition["columns"][number], TableCell])[] {
  const cells = definition.row(stored(definition, draft), { nowMs });
  return definition.columns.map((column, index) => [column, cells[index] as TableCell]);
}
