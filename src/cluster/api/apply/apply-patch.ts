// Server-side apply: merges a configuration into the live object, removes what its manager applied before and no longer
// does, refuses to change what others own unless forced, and keeps managedFields. Rules of structured-merge-diff.

import { readJson } from "#cluster/api/json-text.ts";
import { deepEqual } from "../equality.ts";
import { badRequest, otherFailure } from "../errors.ts";
import { writeCompactJson } from "../json-write.ts";
import type { KubeObject } from "../objects.ts";
import { formatTime } from "../time.ts";
import type { JsonValue } from "../wire.ts";
import { compare } from "./compare.ts";
import { applyConflict, type Conflict } from "./conflicts.ts";
import { difference, emptySet, type FieldSet, intersection, isEmptySet, union, withoutPath } from "./field-set.ts";
import { fieldsOfValue, removeFields, withNamedFields } from "./fields-of.ts";
import { type Ownership, readManagers, sameManager, stripUnowned, withFields } from "./managers.ts";
import { mergeValues } from "./merge-values.ts";
import { type Shape, ShapeError } from "./shape.ts";
import { withManagers, yieldFields } from "./track-update.ts";

export interface ApplyRequest {
  readonly shape: Shape;
  /** As stored, or `emptyObjectOf` the type with apiVersion, kind and metadata when it does not exist yet. */
  readonly live: KubeObject;
  /** What the manager wants; fields that it does not name are not its business. Not decoded with filled-in fields. */
  readonly config: KubeObject;
  readonly manager: string;
  readonly force: boolean;
  readonly apiVersion: string;
  readonly subresource?: string;
  /** Paths that this request cannot set (`[["status"]]` for the object itself). */
  readonly ignoredPaths?: readonly (readonly string[])[];
  readonly nowMs: number;
}

/** Stands in `kubectl apply` without --server-side; a manager named kubectl may take over what it says. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

const maxAnnotationsBytes = 262_144;

/** The object to store, with managedFields. Throws ApiError: 400, 409 with the conflicts, 500 for what does not fit the type. */
export function applyPatch(request: ApplyRequest): KubeObject {
  if (request.config.apiVersion !== request.apiVersion) {
    throw badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${request.config.apiVersion ?? ""}, expected: ${request.apiVersion}`,
    );
  }
  if (request.config.metadata?.managedFields !== undefined) throw badRequest("metadata.managedFields must be nil");
  const managers = managersOf(request);
  const outcome = applyWith(request, managers, request.force);
  if (outcome.kind === "applied") return refreshLastApplied(request, outcome.object);
  const kept = request.manager === "kubectl" ? conflictsBeyondLastApplied(request, outcome.conflicts) : outcome.conflicts;
  if (kept.length > 0) throw applyConflict(kept);
  const forced = applyWith(request, managers, true);
  if (forced.kind === "conflicts") throw applyConflict(forced.conflicts);
  return refreshLastApplied(request, forced.object);
}

/** An object without managers gets one that owns all there is: `before-first-apply`. */
function managersOf(request: ApplyRequest): readonly Ownership[] {
  const managers = readManagers(request.live.metadata);
  if (managers.length > 0 || (request.live.metadata?.uid ?? "") === "") return managers;
  const { added, modified } = compare(request.shape, {}, request.live as JsonValue);
  const fields = withoutIgnored(request, stripUnowned(union(added, modified)));
  if (isEmptySet(fields)) return managers;
  return [
    {
      manager: "before-first-apply",
      operation: "Update",
      apiVersion: request.apiVersion,
      subresource: request.subresource ?? "",
      time: formatTime(request.nowMs),
      fields,
    },
  ];
}

type Outcome =
  | { readonly kind: "applied"; readonly object: KubeObject }
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[] };

function applyWith(request: ApplyRequest, managers: readonly Ownership[], force: boolean): Outcome {
  const { shape, live, config } = request;
  const identity = {
    manager: request.manager,
    operation: "Apply",
    apiVersion: request.apiVersion,
    subresource: request.subresource ?? "",
  } as const;
  const previous = managers.find((owner) => sameManager(owner, identity));
  const others = managers.filter((owner) => owner !== previous);
  const fields = configFields(request);
  const merged = mergeValues(shape, live as JsonValue, config as JsonValue);
  const object = prune(shape, merged, previous?.fields ?? emptySet, union(fields, unionOf(others)));
  const changes = compare(shape, live as JsonValue, object);
  const taken = union(changes.modified, changes.added);
  const conflicts = others
    .map((owner) => ({ owner, fields: intersection(owner.fields, taken) }))
    .filter((conflict) => !isEmptySet(conflict.fields));
  if (conflicts.length > 0 && !force) return { kind: "conflicts", conflicts };
  const isChanged = !deepEqual(live, object);
  const own = ownEntry(identity, previous, stripUnowned(fields), isChanged ? request.nowMs : undefined);
  const kept = [...yieldFields(others, changes), own];
  return { kind: "applied", object: withManagers((isChanged ? object : live) as KubeObject, kept) };
}

function ownEntry(
  identity: Omit<Ownership, "fields" | "time">,
  previous: Ownership | undefined,
  fields: FieldSet,
  nowMs: number | undefined,
): Ownership {
  if (previous === undefined) return { ...identity, fields, time: nowMs === undefined ? undefined : formatTime(nowMs) };
  const same = deepEqual(previous.fields, fields) && previous.apiVersion === identity.apiVersion;
  const renewed = withFields(previous, same ? previous.fields : fields, nowMs);
  return renewed === previous ? previous : { ...renewed, apiVersion: identity.apiVersion };
}

function withoutIgnored({ ignoredPaths = [] }: ApplyRequest, fields: FieldSet): FieldSet {
  return ignoredPaths.reduce<FieldSet>((left, path) => withoutPath(left, path), fields);
}

function configFields(request: ApplyRequest): FieldSet {
  try {
    return withoutIgnored(request, fieldsOfValue(request.shape, request.config as JsonValue));
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const { apiVersion, kind, metadata } = request.config;
    // Go writes the core group's empty name.
    const version = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
    const subject = `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}; ${version}, Kind=${kind}`;
    throw otherFailure(500, "", `failed to create typed patch object (${subject}): ${error.message}`);
  }
}

function unionOf(managers: readonly Ownership[]): FieldSet {
  return managers.reduce<FieldSet>((all, owner) => union(all, owner.fields), emptySet);
}

/** Removes what the manager applied last and nobody owns now. */
function prune(shape: Shape, merged: JsonValue, last: FieldSet, owned: FieldSet): JsonValue {
  if (isEmptySet(last)) return merged;
  const lastNamed = withNamedFields(shape, last);
  const mergedFields = withNamedFields(shape, looseFields(shape, merged));
  const removed = removeFields(shape, merged, lastNamed) ?? {};
  const removedFields = withNamedFields(shape, looseFields(shape, removed));
  const lost = difference(mergedFields, union(removedFields, withNamedFields(shape, owned)));
  const backed = removeFields(shape, merged, lost) ?? {};
  const backedFields = withNamedFields(shape, looseFields(shape, backed));
  const dangling = intersection(difference(mergedFields, backedFields), lastNamed);
  return removeFields(shape, merged, dangling) ?? {};
}

/** The fields of a merged object, which holds nothing that its shape does not know. */
function looseFields(shape: Shape, value: JsonValue): FieldSet {
  return fieldsOfValue(shape, value);
}

/** Conflicts on fields whose live values are what the last-applied annotation says do not count. */
function conflictsBeyondLastApplied(request: ApplyRequest, conflicts: readonly Conflict[]): readonly Conflict[] {
  const text = request.live.metadata.annotations?.[lastApplied];
  if (text === undefined || text === "") return conflicts;
  let allowed: FieldSet;
  try {
    const applied = readJson(text) as JsonValue;
    if ((applied as Partial<KubeObject>).apiVersion !== request.apiVersion) return conflicts;
    const { added, modified, removed } = compare(request.shape, applied, request.live as JsonValue);
    allowed = difference(difference(difference(fieldsOfValue(request.shape, applied), modified), added), removed);
  } catch {
    return conflicts;
  }
  return conflicts
    .map(({ owner, fields }) => ({ owner, fields: difference(fields, allowed) }))
    .filter(({ fields }) => !isEmptySet(fields));
}

/** A manager named kubectl keeps the annotation of client-side apply up to date where there is one. */
function refreshLastApplied(request: ApplyRequest, object: KubeObject): KubeObject {
  const annotations = object.metadata.annotations ?? {};
  if (request.manager !== "kubectl" || !annotations[lastApplied]) return object;
  const { [lastApplied]: _, ...others } = request.config.metadata.annotations ?? {};
  const config = { ...request.config, metadata: { ...request.config.metadata, annotations: others } };
  const text = `${writeCompactJson(config as JsonValue)}\n`;
  const { [lastApplied]: _before, ...rest } = annotations;
  // Rather no annotation than one that is too large.
  if (sizeOf({ ...rest, [lastApplied]: text }) > maxAnnotationsBytes)
    return { ...object, metadata: { ...object.metadata, annotations: rest } };
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [lastApplied]: text } } };
}

function sizeOf(annotations: { readonly [key: string]: string }): number {
  return Object.entries(annotations).reduce((sum, [key, value]) => sum + key.length + new TextEncoder().encode(value).length, 0);
}
