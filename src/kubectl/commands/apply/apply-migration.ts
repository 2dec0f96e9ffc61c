// From client-side to server-side apply: after the first --server-side of an object, what earlier applies left among its managed fields
// becomes the server-side manager's, and the annotation of the last configuration gets a manager of its own
// (cmd/apply/apply.go, client-go/util/csaupgrade). Failures are warnings: the apply itself has been done.

import { ApiError } from "#cluster/api/errors.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import type { Sys } from "#sim/program.ts";
import { lastAppliedAnnotation } from "../../apply/last-applied.ts";
import { groupVersion, pathOf } from "../../client/discovery.ts";
import type { Context } from "../../context.ts";
import { arrayAt, isObject, type JsonObject, objectAt, textAt, valueAt, withValue } from "../../documents.ts";
import { fetchObject, type Info } from "../../resources/selection.ts";
import { dryRunOf, dryRunQuery, fieldValidationOf } from "../write-options.ts";

const serverSideManager = "kubectl";
const annotationManager = "kubectl-last-applied";
const conflictRetries = 5;

const later = "This is non-fatal and will be retried next time you apply.";
const failures = {
  annotation: `failed to migrate ${lastAppliedAnnotation} for Server-Side Apply.`,
  fields: "server rejected managed fields migration to Server-Side Apply.",
  again: "failed to re-apply configuration after performing Server-Side Apply migration.",
} as const;

/** What has just been applied, who manages it, and how to apply it once more. */
export interface Applied {
  readonly info: Info;
  readonly object: JsonObject;
  readonly manager: string;
  again(): Sys<JsonObject>;
}

/** The object as it is after the migration, which most often has nothing to do. */
export function* migrated(context: Context, applied: Applied): Sys<JsonObject> {
  let { object } = applied;
  let failure: keyof typeof failures = "annotation";
  try {
    object = yield* keepAnnotation(context, applied);
    failure = "fields";
    const moved = yield* moveFields(context, { ...applied, object });
    if (moved === undefined) return object;
    object = moved;
    failure = "again";
    return yield* applied.again();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    yield* context.err(`Warning: ${failures[failure]} ${later} Error: ${error.message}\n`);
    return object;
  }
}

function entriesOf(object: JsonObject): readonly JsonObject[] {
  return arrayAt(object, "metadata", "managedFields").filter(isObject);
}

function ownsAnnotation(entry: JsonObject): boolean {
  return valueAt(entry, "fieldsV1", "f:metadata", "f:annotations", `f:${lastAppliedAnnotation}`) !== undefined;
}

function* patchWith(context: Context, { info }: Applied, manager: string, contentType: string, body: JsonValue): Sys<JsonObject> {
  const answer = yield* context.client().json({
    method: "PATCH",
    path: pathOf(info.mapping, info.namespace, info.name, context.flags.text("subresource")),
    query: { fieldManager: manager, fieldValidation: fieldValidationOf(context), ...dryRunQuery(dryRunOf(context)) },
    contentType,
    body,
  });
  return isObject(answer) ? answer : {};
}

/** Without a manager that applies it, the annotation would go with the next server-side apply. */
function* keepAnnotation(context: Context, applied: Applied): Sys<JsonObject> {
  const { info, object, manager } = applied;
  const text = textAt(object, "metadata", "annotations", lastAppliedAnnotation);
  const isKept = entriesOf(object).some((entry) => textAt(entry, "operation") === "Apply" && ownsAnnotation(entry));
  if (manager !== serverSideManager || text === "" || isKept) return object;
  const namespace = textAt(object, "metadata", "namespace");
  const metadata = {
    annotations: { [lastAppliedAnnotation]: text },
    name: info.name,
    ...(namespace === "" ? {} : { namespace }),
  };
  const body = { apiVersion: groupVersion(info.mapping), kind: info.mapping.kind, metadata };
  return yield* patchWith(context, applied, annotationManager, "application/apply-patch+yaml", body);
}

/** undefined: there was nothing to move. */
function* moveFields(context: Context, applied: Applied): Sys<JsonObject | undefined> {
  let { object } = applied;
  const clientSide = new Set(
    entriesOf(object)
      .filter((entry) => textAt(entry, "operation") === "Update" && ownsAnnotation(entry))
      .map((entry) => textAt(entry, "manager")),
  );
  for (let attempt = 1; ; attempt += 1) {
    let entries = entriesOf(object);
    for (const name of clientSide) entries = movedEntries(entries, name, applied.manager);
    if (jsonText(entries) === jsonText(entriesOf(object))) return undefined;
    const version = textAt(object, "metadata", "resourceVersion");
    const operations: JsonObject[] = [
      { op: "replace", path: "/metadata/managedFields", value: entries },
      { op: "replace", path: "/metadata/resourceVersion", value: version },
    ];
    try {
      return yield* patchWith(context, applied, applied.manager, "application/json-patch+json", operations);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "Conflict" || attempt === conflictRetries) throw error;
      object = yield* fetchObject(context, applied.info);
    }
  }
}

function isEntryOf(entry: JsonObject, manager: string, operation: string): boolean {
  const { manager: own, operation: how, subresource = "" } = entry;
  return own === manager && how === operation && subresource === "";
}

/** `from`'s updates joined to what `to` applies; where that is nothing yet, they become it. */
function movedEntries(entries: readonly JsonObject[], from: string, to: string): readonly JsonObject[] {
  const present = entries.findIndex((entry) => isEntryOf(entry, to, "Apply"));
  const place = present >= 0 ? present : entries.findIndex((entry) => isEntryOf(entry, from, "Update"));
  const target = entries[place];
  if (target === undefined) return entries;
  const version = textAt(target, "apiVersion");
  const source = entries.find((entry) => isEntryOf(entry, from, "Update") && textAt(entry, "apiVersion") === version);
  const fields = joinedFields(objectAt(target, "fieldsV1"), objectAt(source, "fieldsV1"));
  const joined = withValue({ ...target, manager: to, operation: "Apply" }, ["fieldsV1"], fields);
  return entries.with(place, joined).filter((entry) => !isEntryOf(entry, from, "Update"));
}

/** Both sets of fields. An empty one is the field itself, which a set with fields below it says by `.`. */
function joinedFields(left: JsonObject, right: JsonObject): JsonObject {
  const [one, other] = [Object.keys(left), Object.keys(right)];
  if (one.length === 0 && other.length === 0) return {};
  const names = new Set([...one, ...other, ...(one.length === 0 || other.length === 0 ? ["."] : [])]);
  const joined = [...names].map((name): readonly [string, JsonObject] => {
    if (!(name in left) || !(name in right)) return [name, objectAt(name in left ? left : right, name)];
    return [name, joinedFields(objectAt(left, name), objectAt(right, name))];
  });
  return Object.fromEntries(joined);
}
