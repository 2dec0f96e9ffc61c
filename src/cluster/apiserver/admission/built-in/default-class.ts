// Which of several classes is the default: the newest that says so by its annotation, of equally new ones the first by name.

import type { KubeObject } from "#cluster/api/objects.ts";
import { parseTime } from "#cluster/api/time.ts";
import type { Table } from "#cluster/storage/table.ts";

export function defaultClass(classes: Table, ...annotations: readonly string[]): string | undefined {
  let chosen: KubeObject | undefined;
  for (const candidate of classes.list("")) {
    if (!annotations.some((annotation) => candidate.metadata.annotations?.[annotation] === "true")) continue;
    if (chosen === undefined || createdMs(candidate) > createdMs(chosen)) chosen = candidate;
  }
  return chosen?.metadata.name;
}

function createdMs({ metadata }: KubeObject): number {
  return metadata.creationTimestamp === undefined ? 0 : parseTime(metadata.creationTimestamp);
}
