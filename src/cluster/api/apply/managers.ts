// managedFields: who owns which fields. One entry a manager, operation, apiVersion (for updates) and subresource.

import { compareTexts } from "#sim/compare-texts.ts";
import type { ManagedFieldsEntry, ObjectMeta } from "../generated/types.ts";
import { formatTime } from "../time.ts";
import type { JsonValue } from "../wire.ts";
import { type FieldSet, isEmptySet, sortSet, union } from "./field-set.ts";

export type Operation = "Apply" | "Update";

export interface Ownership {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource: string;
  /** Absent for an applier that has never changed anything. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
  /** The entry that this was read from, while nothing about it has changed. */
  readonly entry?: ManagedFieldsEntry;
}

/** Reads an object's managedFields; entries that are not whole make all of them count as none, as upstream. */
export function readManagers(metadata: ObjectMeta | undefined): readonly Ownership[] {
  const entries = metadata?.managedFields ?? [];
  const managers: Ownership[] = [];
  for (const entry of entries) {
    const { operation, apiVersion, fieldsType } = entry;
    if ((operation !== "Apply" && operation !== "Update") || !apiVersion || fieldsType !== "FieldsV1") return [];
    managers.push({
      manager: entry.manager ?? "",
      operation,
      apiVersion,
      subresource: entry.subresource ?? "",
      time: entry.time,
      fields: (entry.fieldsV1 ?? {}) as FieldSet,
      entry,
    });
  }
  return managers;
}

/** Whether a write asks for managedFields to be forgotten: `[]` or one empty entry. */
export function isReset(metadata: ObjectMeta | undefined): boolean {
  const entries = metadata?.managedFields;
  if (entries === undefined) return false;
  return entries.length === 0 || (entries.length === 1 && Object.keys(entries[0] as object).length === 0);
}

export function sameManager(a: Ownership, b: Omit<Ownership, "fields" | "time" | "entry">): boolean {
  return (
    a.manager === b.manager &&
    a.operation === b.operation &&
    a.subresource === b.subresource &&
    (a.operation === "Apply" || a.apiVersion === b.apiVersion)
  );
}

/** The entries for the wire: those that own something, sorted by operation, time, manager, version, subresource. */
export function writeManagers(managers: readonly Ownership[]): readonly ManagedFieldsEntry[] {
  return [...managers]
    .filter(({ fields }) => !isEmptySet(fields))
    .sort(compareManagers)
    .map(writeEntry);
}

function compareManagers(a: Ownership, b: Ownership): number {
  return (
    compareTexts(a.operation, b.operation) ||
    compareTexts(a.time ?? "", b.time ?? "") ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  );
}

function writeEntry(owner: Ownership): ManagedFieldsEntry {
  if (owner.entry !== undefined) return owner.entry;
  return {
    manager: owner.manager,
    operation: owner.operation,
    apiVersion: owner.apiVersion,
    ...(owner.time === undefined ? {} : { time: owner.time }),
    fieldsType: "FieldsV1",
    fieldsV1: sortSet(owner.fields) as JsonValue,
    ...(owner.subresource === "" ? {} : { subresource: owner.subresource }),
  };
}

/** With other fields; the entry is written anew. */
export function withFields(owner: Ownership, fields: FieldSet, nowMs?: number): Ownership {
  if (fields === owner.fields && nowMs === undefined) return owner;
  const { entry: _, ...rest } = owner;
  return { ...rest, fields, time: nowMs === undefined ? owner.time : formatTime(nowMs) };
}

/** More updaters than this are joined into one, `ancient-changes`, oldest first. */
export const maxUpdateManagers = 10;

export function capUpdaters(managers: readonly Ownership[]): readonly Ownership[] {
  const updaters = managers.filter(({ operation }) => operation === "Update").sort(compareManagers);
  if (updaters.length <= maxUpdateManagers) return managers;
  const result = new Set(managers);
  const buckets = new Map<string, Ownership>();
  let count = updaters.length;
  for (const owner of updaters) {
    if (count <= maxUpdateManagers) break;
    const first = buckets.get(owner.apiVersion);
    if (first === undefined) {
      buckets.set(owner.apiVersion, owner);
      continue;
    }
    const { entry: _, ...rest } = first;
    const joined: Ownership = {
      ...rest,
      manager: "ancient-changes",
      subresource: "",
      time: owner.time,
      fields: union(first.fields, owner.fields),
    };
    result.delete(first);
    result.delete(owner);
    result.add(joined);
    buckets.set(owner.apiVersion, joined);
    count -= 1;
  }
  return [...result];
}

/** Fields that no one owns: they are the server's or the identity's. */
const unowned: readonly string[] = [
  "name",
  "namespace",
  "creationTimestamp",
  "selfLink",
  "uid",
  "clusterName",
  "generation",
  "managedFields",
  "resourceVersion",
];

/** A writer's set without the fields that no one owns. */
export function stripUnowned(set: FieldSet): FieldSet {
  if (set["f:apiVersion"] === undefined && set["f:kind"] === undefined && set["f:metadata"] === undefined) return set;
  const { "f:apiVersion": _version, "f:kind": _kind, "f:metadata": metadata, ...rest } = set;
  if (metadata === undefined) return rest;
  const kept: { [element: string]: FieldSet } = { ...metadata };
  delete kept["."];
  for (const field of unowned) delete kept[`f:${field}`];
  return isEmptySet(kept) ? rest : { ...rest, "f:metadata": kept };
}
