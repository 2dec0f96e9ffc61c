// PodMetrics and NodeMetrics (metrics.k8s.io/v1beta1) as they are answered: objects, lists and Tables (pkg/api).

import { formatGoDuration } from "#cluster/api/duration.ts";
import type { Node, Pod } from "#cluster/api/generated/types.ts";
import type { JsonValue, Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { groupVersion } from "./group.ts";
import { type Measured, type MetricStorage, sumOf, type Usage, usageText } from "./metric-storage.ts";

type JsonObject = { readonly [field: string]: JsonValue };

/** One answered object, and what its row in a Table says. */
export interface Metrics {
  readonly kind: "PodMetrics" | "NodeMetrics";
  readonly metadata: JsonObject;
  /** What follows the metadata. */
  readonly rest: JsonObject;
  readonly usage: Usage;
  readonly window: string;
}

export function nodeMetrics(storage: MetricStorage, { metadata }: Stored<Node>, nowMs: number): Metrics | undefined {
  const measured = storage.node(metadata.name);
  if (measured === undefined) return undefined;
  const { usage } = measured;
  const rest = { ...timesOf(measured), usage: usageText(usage) };
  return { kind: "NodeMetrics", metadata: metadataOf(metadata, nowMs), rest, usage, window: rest.window };
}

export function podMetrics(storage: MetricStorage, { metadata }: Stored<Pod>, nowMs: number): Metrics | undefined {
  const measured = storage.pod(metadata.namespace ?? "", metadata.name);
  if (measured === undefined) return undefined;
  const containers = measured.containers.map(({ name, usage }) => ({ name, usage: usageText(usage) }));
  const rest = { ...timesOf(measured), containers };
  const usage = sumOf(measured.containers.map((container) => container.usage));
  return { kind: "PodMetrics", metadata: metadataOf(metadata, nowMs), rest, usage, window: rest.window };
}

function timesOf({ timeMs, windowMs }: Measured) {
  return { timestamp: formatTime(timeMs), window: formatGoDuration(windowMs) };
}

function metadataOf({ name, namespace, labels }: Stored<Pod>["metadata"], nowMs: number): JsonObject {
  return {
    name,
    ...(namespace === undefined || namespace === "" ? {} : { namespace }),
    creationTimestamp: formatTime(nowMs),
    ...(labels === undefined || Object.keys(labels).length === 0 ? {} : { labels }),
  };
}

export function wireObject({ kind, metadata, rest }: Metrics): JsonObject {
  return { kind, apiVersion: groupVersion, metadata, ...rest };
}

export function wireList(kind: Metrics["kind"], items: readonly Metrics[]): JsonObject {
  const objects = items.map(({ metadata, rest }) => ({ metadata, ...rest }));
  return { kind: `${kind}List`, apiVersion: groupVersion, metadata: {}, items: objects };
}

/** PartialObjectMetadata, alone or in a list. */
export function metadataOnly({ metadata }: Metrics, version: string): JsonObject {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata };
}

export function metadataList(items: readonly Metrics[], version: string): JsonObject {
  const list = items.map((item) => metadataOnly(item, version));
  return { kind: "PartialObjectMetadataList", apiVersion: `meta.k8s.io/${version}`, metadata: {}, items: list };
}

const columns: JsonValue = [
  column("Name", "name", "Name of the resource"),
  column("cpu", "quantity", ""),
  column("memory", "quantity", ""),
  column("Window", "duration", ""),
];

function column(name: string, format: string, description: string): JsonObject {
  return { name, type: "string", format, description, priority: 0 };
}

/** Without rows there are no columns either: upstream takes them from the first one. */
export function tableOf(items: readonly Metrics[], version: string, include: "None" | "Metadata" | "Object"): JsonObject {
  const objectOf = (item: Metrics): JsonValue => {
    if (include === "None") return null;
    return include === "Object" ? wireObject(item) : metadataOnly(item, version);
  };
  const rows = items.map((item) => {
    const { cpu, memory } = usageText(item.usage);
    return { cells: [item.metadata["name"] as string, cpu, memory, item.window], object: objectOf(item) };
  });
  const head = { kind: "Table", apiVersion: `meta.k8s.io/${version}`, metadata: {} };
  return rows.length === 0 ? { ...head, columnDefinitions: null, rows: null } : { ...head, columnDefinitions: columns, rows };
}
