// `Table`: what `kubectl get` prints, made by the server from the kind's columns.

import { badRequest } from "#cluster/api/errors.ts";
import type { JsonValue, KubeObject, ListMeta } from "#cluster/api/objects.ts";
import type { ResourceDefinition, TableColumn } from "#cluster/resources/definition.ts";
import { partialMetadata, wireObject } from "./encoding.ts";

export interface TableOptions {
  /** What a row carries beside its cells. */
  readonly includeObject: "None" | "Metadata" | "Object";
  readonly metaVersion: string;
  /** Watches send the columns with the first event only. */
  readonly withColumns: boolean;
  readonly nowMs: number;
}

/** Throws 400 for a value that is none of the three. */
export function includeObjectOf(query: URLSearchParams): TableOptions["includeObject"] {
  const value = query.get("includeObject") ?? "";
  if (value === "") return "Metadata";
  if (value === "None" || value === "Metadata" || value === "Object") return value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

export function tableOfObjects(
  definition: ResourceDefinition,
  objects: readonly KubeObject[],
  metadata: ListMeta,
  options: TableOptions,
): JsonValue {
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${options.metaVersion}`,
    metadata: metadata as JsonValue,
    columnDefinitions: options.withColumns ? definition.columns.map(columnDefinition) : null,
    rows: ordered(definition, objects).map((object) => row(definition, object, options)),
  };
}

function ordered(definition: ResourceDefinition, objects: readonly KubeObject[]): readonly KubeObject[] {
  return definition.rowOrder === undefined ? objects : [...objects].sort((a, b) => definition.rowOrder?.(a, b) ?? 0);
}

function columnDefinition(column: TableColumn): JsonValue {
  const { name, type, format = "", description, priority = 0 } = column;
  return { name, type, format, description, priority };
}

function row(definition: ResourceDefinition, object: KubeObject, options: TableOptions): JsonValue {
  const conditions = definition.rowConditions?.(object);
  const cells = {
    cells: [...definition.row(object, options)],
    ...(conditions === undefined ? {} : { conditions }),
  };
  if (options.includeObject === "None") return { ...cells, object: null };
  const carried =
    options.includeObject === "Object"
      ? (wireObject(definition, object) as JsonValue)
      : partialMetadata(object, options.metaVersion);
  return { ...cells, object: carried };
}
