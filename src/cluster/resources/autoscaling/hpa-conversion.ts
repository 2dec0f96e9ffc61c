// Between autoscaling/v1 and autoscaling/v2, the stored form: what v1 has no field for travels in annotations
// (pkg/apis/autoscaling/v1/conversion.go).

import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerStatus,
  V2HorizontalPodAutoscaler,
  V2HorizontalPodAutoscalerBehavior,
  V2HorizontalPodAutoscalerStatus,
  V2HPAScalingRules,
  V2MetricSpec,
  V2MetricStatus,
} from "#cluster/api/generated/types.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { Typed } from "../definition.ts";
import { fromV1Metric, toV1Metric } from "./hpa-v1-metrics.ts";

type V1 = Typed<HorizontalPodAutoscaler>;
type V2 = Typed<V2HorizontalPodAutoscaler>;

const metricsKey = "autoscaling.alpha.kubernetes.io/metrics";
const behaviorKey = "autoscaling.alpha.kubernetes.io/behavior";
const currentMetricsKey = "autoscaling.alpha.kubernetes.io/current-metrics";
const conditionsKey = "autoscaling.alpha.kubernetes.io/conditions";
const keys: readonly string[] = [metricsKey, behaviorKey, currentMetricsKey, conditionsKey];

export function toV2(autoscaler: V1): V2 {
  const { spec, status, metadata } = autoscaler;
  const { targetCPUUtilizationPercentage: percentage, ...kept } = spec ?? {
    maxReplicas: 0,
    scaleTargetRef: { kind: "", name: "" },
  };
  const annotations = metadata.annotations ?? {};
  const others = listIn(annotations[metricsKey]).map((metric) => fromV1Metric(metric, "target") as V2MetricSpec);
  const metrics = percentage === undefined ? others : [...others, cpuMetric(percentage)];
  const behavior = objectIn(annotations[behaviorKey]);
  return {
    ...autoscaler,
    apiVersion: "autoscaling/v2",
    metadata: withoutKeys(metadata),
    spec: {
      ...kept,
      ...(metrics.length === 0 ? {} : { metrics }),
      ...(behavior === undefined ? {} : { behavior: fromGoBehavior(behavior) }),
    },
    ...(status === undefined ? {} : { status: toV2Status(status, annotations) }),
  };
}

function toV2Status(
  status: HorizontalPodAutoscalerStatus,
  annotations: { readonly [key: string]: string },
): V2HorizontalPodAutoscalerStatus {
  const { currentCPUUtilizationPercentage: percentage, ...kept } = status;
  const noted = listIn(annotations[currentMetricsKey]).map((metric) => fromV1Metric(metric, "current") as V2MetricStatus);
  const own = percentage === undefined ? [] : [cpuStatus(percentage)];
  const currentMetrics = noted.length > 0 ? noted : own;
  const conditions = listIn(annotations[conditionsKey]) as NonNullable<V2HorizontalPodAutoscalerStatus["conditions"]>;
  return {
    ...kept,
    ...(currentMetrics.length === 0 ? {} : { currentMetrics }),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

export function toV1(autoscaler: V2): V1 {
  const { metadata, status, ...rest } = autoscaler;
  const { metrics = [], behavior, ...kept } = autoscaler.spec ?? { maxReplicas: 0, scaleTargetRef: { kind: "", name: "" } };
  const others = metrics.filter((metric) => cpuTarget(metric) === undefined);
  const percentage = metrics.map(cpuTarget).findLast((target) => target !== undefined);
  const { currentMetrics = [], conditions = [] } = status ?? {};
  const notes: { readonly [key: string]: string } = {
    ...(others.length === 0 ? {} : { [metricsKey]: JSON.stringify(others.map((metric) => toV1Metric(metric, "target"))) }),
    ...(currentMetrics.length === 0
      ? {}
      : { [currentMetricsKey]: JSON.stringify(currentMetrics.map((metric) => toV1Metric(metric, "current"))) }),
    ...(behavior === undefined ? {} : { [behaviorKey]: JSON.stringify(goBehavior(behavior)) }),
    ...(conditions.length === 0 ? {} : { [conditionsKey]: JSON.stringify(conditions) }),
  };
  const bare = withoutKeys(metadata);
  return {
    ...rest,
    apiVersion: "autoscaling/v1",
    metadata: Object.keys(notes).length === 0 ? bare : { ...bare, annotations: { ...bare.annotations, ...notes } },
    spec: { ...kept, ...(percentage === undefined ? {} : { targetCPUUtilizationPercentage: percentage }) },
    ...(status === undefined ? {} : { status: toV1Status(status) }),
  };
}

function toV1Status(status: V2HorizontalPodAutoscalerStatus): HorizontalPodAutoscalerStatus {
  const { currentMetrics = [], conditions: _conditions, ...kept } = status;
  const percentage = currentMetrics
    .map(({ resource }) => (resource?.name === "cpu" ? resource.current.averageUtilization : undefined))
    .findLast((one) => one !== undefined);
  return {
    ...kept,
    currentReplicas: status.currentReplicas ?? 0,
    ...(percentage === undefined ? {} : { currentCPUUtilizationPercentage: percentage }),
  };
}

/** The one metric that v1 has a field for. */
function cpuTarget({ type, resource }: V2MetricSpec): number | undefined {
  return type === "Resource" && resource?.name === "cpu" ? resource.target.averageUtilization : undefined;
}

function cpuMetric(averageUtilization: number): V2MetricSpec {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

function cpuStatus(averageUtilization: number): V2MetricStatus {
  return { type: "Resource", resource: { name: "cpu", current: { averageUtilization } } };
}

/** Annotations that belong to the other form; neither form shows those of its own. */
export function withoutKeys<M extends { readonly annotations?: { readonly [key: string]: string } }>(metadata: M): M {
  const { annotations, ...kept } = metadata;
  if (annotations === undefined || !keys.some((key) => annotations[key] !== undefined)) return metadata;
  const others = Object.entries(annotations).filter(([key]) => !keys.includes(key));
  return { ...kept, ...(others.length === 0 ? {} : { annotations: Object.fromEntries(others) }) } as M;
}

/** Upstream writes its internal type there, with Go's names. */
function goBehavior({ scaleUp, scaleDown }: V2HorizontalPodAutoscalerBehavior): JsonValue {
  return { ScaleUp: goRules(scaleUp), ScaleDown: goRules(scaleDown) };
}

function goRules(rules: V2HPAScalingRules | undefined): JsonValue {
  if (rules === undefined) return null;
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies:
      rules.policies?.map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds })) ?? null,
    Tolerance: rules.tolerance ?? null,
  };
}

type Fields = { readonly [field: string]: JsonValue };

function fromGoBehavior(behavior: Fields): V2HorizontalPodAutoscalerBehavior {
  return lowered(behavior) as V2HorizontalPodAutoscalerBehavior;
}

/** `value` with names of fields in JSON's manner, without nulls. */
function lowered(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(lowered);
  if (typeof value !== "object" || value === null) return value;
  const present = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(
    present.map(([name, field]) => [asciiLowerCase(name.slice(0, 1)) + name.slice(1), lowered(field as JsonValue)]),
  );
}

/** A text that is no JSON is passed over, as upstream does. */
function parsed(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}

function listIn(text: string | undefined): readonly Fields[] {
  const value = parsed(text);
  return Array.isArray(value) ? (value as readonly Fields[]) : [];
}

function objectIn(text: string | undefined): Fields | undefined {
  const value = parsed(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
