// Columns and cells that many kinds share.

import { humanDuration } from "#cluster/api/duration.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { tryParseTime } from "#cluster/api/time.ts";
import type { TableCell, TableColumn, TableContext } from "./definition.ts";

/** A text column; `wide` shows it only with `-o wide`. */
export function column(name: string, description = "", options: { readonly wide?: boolean } = {}): TableColumn {
  return { name, type: "string", description, ...(options.wide === true ? { priority: 1 } : {}) };
}

export function integerColumn(name: string, description = ""): TableColumn {
  return { name, type: "integer", description };
}

export const nameColumn: TableColumn = {
  name: "Name",
  type: "string",
  format: "name",
  description:
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
};

export const ageColumn: TableColumn = {
  name: "Age",
  type: "string",
  description:
    "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
};

/** How long ago a time was, `<unknown>` when there is none. */
export function sinceCell(time: string | undefined | null, context: TableContext): string {
  const ms = time ? tryParseTime(time) : undefined;
  return ms === undefined ? "<unknown>" : humanDuration(context.nowMs - ms);
}

export function ageCell(object: KubeObject, context: TableContext): TableCell {
  return sinceCell(object.metadata.creationTimestamp, context);
}

export function nameCell(object: KubeObject): string {
  return object.metadata.name ?? "";
}

/** Kinds that show when they were made instead of how long ago: kubectl turns a `date` into an age. */
export const createdAtColumn: TableColumn = { name: "Created At", type: "date", description: ageColumn.description };

export function createdAtCell(object: KubeObject): TableCell {
  return object.metadata.creationTimestamp ?? null;
}
