// Metrics as autoscaling/v1 writes them into annotations (pkg/apis/autoscaling/v1/conversion.go): targets and current values
// are fields of the source itself, with a prefix.

import type { LabelSelector, V2MetricSpec, V2MetricStatus, V2MetricTarget } from "#cluster/api/generated/types.ts";
import type { JsonValue } from "#cluster/api/objects.ts";

type Prefix = "target" | "current";

interface Amounts {
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
}

/** What any source may have, in either form. */
interface Source {
  readonly describedObject?: { readonly kind: string; readonly name: string };
  readonly metric?: { readonly name: string; readonly selector?: LabelSelector };
  readonly name?: string;
  readonly container?: string;
  readonly target?: V2MetricTarget;
  readonly current?: Amounts;
}

type Fields = { readonly [field: string]: JsonValue | undefined };

const sources = ["object", "pods", "resource", "containerResource", "external"] as const;

export function toV1Metric(metric: V2MetricSpec | V2MetricStatus, prefix: Prefix): JsonValue {
  const result: { [field: string]: JsonValue } = { type: metric.type };
  for (const name of sources) {
    const source = metric[name] as Source | undefined;
    if (source !== undefined) result[name] = withoutAbsent(toV1Source(name, source, source[prefix] ?? {}, prefix));
  }
  return result;
}

function toV1Source(name: (typeof sources)[number], source: Source, amounts: Amounts, prefix: Prefix): Fields {
  const { value, averageValue, averageUtilization } = amounts;
  const selector = source.metric?.selector as JsonValue | undefined;
  const metricName = source.metric?.name ?? "";
  const isCurrent = prefix === "current";
  // Go writes the zero of a quantity that is no pointer.
  const always = (text: string | undefined): string => text ?? "0";
  const resource = {
    name: source.name ?? "",
    [`${prefix}AverageUtilization`]: averageUtilization,
    [`${prefix}AverageValue`]: isCurrent ? always(averageValue) : averageValue,
  };
  switch (name) {
    case "object":
      return {
        target: source.describedObject as JsonValue | undefined,
        metricName,
        [`${prefix}Value`]: always(value),
        selector,
        averageValue,
      };
    case "pods":
      return { metricName, [`${prefix}AverageValue`]: always(averageValue), selector };
    case "resource":
      return resource;
    case "containerResource":
      return { ...resource, container: source.container ?? "" };
    case "external":
      return {
        metricName,
        metricSelector: selector,
        [`${prefix}Value`]: isCurrent ? always(value) : value,
        [`${prefix}AverageValue`]: averageValue,
      };
  }
}

export function fromV1Metric(metric: Fields, prefix: Prefix): JsonValue {
  const result: { [field: string]: JsonValue } = { type: metric["type"] ?? "" };
  for (const name of sources) {
    const source = metric[name] as Fields | undefined;
    if (source !== undefined) result[name] = withoutAbsent(fromV1Source(name, source, prefix));
  }
  return result;
}

function fromV1Source(name: (typeof sources)[number], source: Fields, prefix: Prefix): Fields {
  const averageValue = source[name === "object" ? "averageValue" : `${prefix}AverageValue`];
  const averageUtilization = source[`${prefix}AverageUtilization`];
  const value = source[`${prefix}Value`];
  const isResource = name === "resource" || name === "containerResource";
  let kind = "AverageValue";
  if (isResource && averageUtilization !== undefined) kind = "Utilization";
  else if (!isResource && averageValue === undefined) kind = "Value";
  const amounts = withoutAbsent({ ...(prefix === "target" ? { type: kind } : {}), value, averageValue, averageUtilization });
  if (isResource) return { name: source["name"], container: source["container"], [prefix]: amounts };
  const selector = source[name === "external" ? "metricSelector" : "selector"];
  const metric = withoutAbsent({ name: source["metricName"], selector });
  return { describedObject: name === "object" ? source["target"] : undefined, metric, [prefix]: amounts };
}

function withoutAbsent(fields: Fields): { readonly [field: string]: JsonValue } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [field: string]: JsonValue };
}
