// managedFields after an ordinary write (create, update, any patch but apply): the writer owns what it added or changed,
// the others lose it. Runs on every write from outside; costs what has changed.

import type { KubeObject } from "../objects.ts";
import { formatTime } from "../time.ts";
import type { JsonValue } from "../wire.ts";
import { type Comparison, compare } from "./compare.ts";
import { difference, type FieldSet, intersection, isEmptySet, union, withoutPath } from "./field-set.ts";
import {
  capUpdaters,
  isReset,
  type Ownership,
  readManagers,
  sameManager,
  stripUnowned,
  withFields,
  writeManagers,
} from "./managers.ts";
import type { Shape } from "./shape.ts";

export interface UpdateToTrack {
  readonly shape: Shape;
  /** As stored; for a create `emptyObjectOf` its type, as written. */
  readonly before: KubeObject | JsonValue;
  /** As about to be stored. */
  readonly after: KubeObject;
  /** The field manager: the request's fieldManager, or the user agent's first word. */
  readonly manager: string;
  readonly apiVersion: string;
  /** "" for the object itself. */
  readonly subresource?: string;
  /** Paths that this request cannot change and so nobody owns by it (`[["status"]]` for the object itself). */
  readonly ignoredPaths?: readonly (readonly string[])[];
  readonly nowMs: number;
}

/** The object as about to be stored, with its managedFields. */
export function trackUpdate(update: UpdateToTrack): KubeObject {
  const { before, after } = update;
  const live = (before as Partial<KubeObject>).metadata;
  if (update.subresource === undefined && isReset(after.metadata)) return withManagers(after, []);
  const given = update.subresource ? [] : readManagers(after.metadata);
  const managers = given.length > 0 ? given : readManagers(live);
  if (managers.length === 0 && live?.uid !== undefined && live.uid !== "") return withManagers(after, []);
  const changes = ignorePaths(compare(update.shape, before as JsonValue, after as JsonValue), update.ignoredPaths ?? []);
  const own = stripUnowned(union(changes.modified, changes.added));
  const others = yieldFields(managers, changes);
  const result = isEmptySet(own) ? others : capUpdaters(claim(others, own, update));
  return withManagers(after, result);
}

/** The others lose what was changed, added or removed. */
export function yieldFields(managers: readonly Ownership[], changes: Comparison): readonly Ownership[] {
  const taken = union(changes.modified, changes.added);
  if (isEmptySet(taken) && isEmptySet(changes.removed)) return managers;
  return managers
    .map((owner) => {
      const conflicts = intersection(owner.fields, taken);
      return withFields(owner, difference(difference(owner.fields, conflicts), changes.removed));
    })
    .filter(({ fields }) => !isEmptySet(fields));
}

function claim(managers: readonly Ownership[], own: FieldSet, update: UpdateToTrack): readonly Ownership[] {
  const identity = {
    manager: update.manager === "" ? "unknown" : update.manager,
    operation: "Update",
    apiVersion: update.apiVersion,
    subresource: update.subresource ?? "",
  } as const;
  const previous = managers.find((owner) => sameManager(owner, identity));
  // What is written through a Scale never gets a time.
  const nowMs = update.subresource === "scale" ? undefined : update.nowMs;
  if (previous === undefined) {
    return [...managers, { ...identity, time: nowMs === undefined ? nowMs : formatTime(nowMs), fields: own }];
  }
  return managers.map((owner) => (owner === previous ? withFields(owner, union(own, owner.fields), nowMs) : owner));
}

function ignorePaths(changes: Comparison, paths: readonly (readonly string[])[]): Comparison {
  let { added, modified, removed } = changes;
  for (const path of paths) {
    added = withoutPath(added, path);
    modified = withoutPath(modified, path);
    removed = withoutPath(removed, path);
  }
  return { added, modified, removed };
}

export function withManagers(object: KubeObject, managers: readonly Ownership[]): KubeObject {
  const { managedFields, ...metadata } = object.metadata;
  const entries = writeManagers(managers);
  if (entries.length === 0) return managedFields === undefined ? object : { ...object, metadata };
  const unchanged = managedFields?.length === entries.length && entries.every((entry, index) => entry === managedFields[index]);
  return unchanged ? object : { ...object, metadata: { ...metadata, managedFields: entries } };
}
