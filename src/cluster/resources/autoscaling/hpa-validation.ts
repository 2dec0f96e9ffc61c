// What a HorizontalPodAutoscaler must be (pkg/apis/autoscaling/validation), in autoscaling/v2's form.

import type {
  V2CrossVersionObjectReference,
  V2HorizontalPodAutoscaler,
  V2HorizontalPodAutoscalerSpec,
  V2HPAScalingPolicy,
  V2HPAScalingRules,
} from "#cluster/api/generated/types.ts";
import { quantitySign, tryParseQuantity } from "#cluster/api/quantity.ts";
import type { Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { validateCounts } from "../workload-validation.ts";
import { validateMetric } from "./hpa-metric-validation.ts";
import { apiVersionFault, validateReference } from "./hpa-reference.ts";

type Autoscaler = Typed<V2HorizontalPodAutoscaler>;

const maxWindowSeconds = 3600;
const maxPeriodSeconds = 1800;

export function validateAutoscaler(autoscaler: Autoscaler, old: Autoscaler | undefined, errors: FieldErrors): void {
  const spec = autoscaler.spec ?? ({} as V2HorizontalPodAutoscalerSpec);
  const path = field("spec");
  const { minReplicas, maxReplicas = 0, scaleTargetRef, metrics = [], behavior } = spec;
  // Scaling to zero is for those that have done so before the feature was turned off.
  const least = old?.spec?.minReplicas === 0 ? 0 : 1;
  if (minReplicas !== undefined && minReplicas < least) {
    errors.invalid(path.child("minReplicas"), minReplicas, `must be greater than or equal to ${least}`);
  }
  if (maxReplicas === 0) errors.required(path.child("maxReplicas"), "must be set and greater than 0");
  else if (maxReplicas < 0) errors.invalid(path.child("maxReplicas"), maxReplicas, "must be greater than or equal to 1");
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    errors.invalid(path.child("maxReplicas"), maxReplicas, "must be greater than or equal to `minReplicas`");
  }
  const target = scaleTargetRef ?? { kind: "", name: "" };
  validateReference(target, targetVersionFault(target, old), path.child("scaleTargetRef"), errors);
  const metricsPath = path.child("metrics");
  for (const [index, metric] of metrics.entries()) validateMetric(metric, metricsPath.index(index), errors);
  if (minReplicas === 0 && !metrics.some(({ type }) => type === "Object" || type === "External")) {
    errors.forbidden(metricsPath, "must specify at least one Object or External metric to support scaling to zero replicas");
  }
  for (const name of ["scaleUp", "scaleDown"] as const) {
    const rules = behavior?.[name];
    if (rules !== undefined) validateRules(rules, path.child("behavior", name), errors);
  }
}

export function validateAutoscalerStatus(autoscaler: Autoscaler, errors: FieldErrors): void {
  validateCounts(autoscaler.status, ["currentReplicas", "desiredReplicas"], field("status"), errors);
}

/** Only ReplicationControllers can be scaled of core's kinds; what was accepted once is not asked again. */
function targetVersionFault(target: V2CrossVersionObjectReference, old: Autoscaler | undefined): string | undefined {
  const before = old?.spec?.scaleTargetRef;
  if (before !== undefined && before.kind === target.kind && before.apiVersion === target.apiVersion) return undefined;
  const fault = apiVersionFault(target.apiVersion);
  if (fault !== undefined || target.kind === "ReplicationController") return fault;
  return target.apiVersion?.includes("/") === true && !target.apiVersion.startsWith("/")
    ? undefined
    : "apiVersion must specify API group";
}

function validateRules(rules: V2HPAScalingRules, path: Path, errors: FieldErrors): void {
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = rules;
  const windowPath = path.child("stabilizationWindowSeconds");
  if (window !== undefined && window < 0) errors.invalid(windowPath, window, "must be greater than or equal to zero");
  if (window !== undefined && window > maxWindowSeconds) {
    errors.invalid(windowPath, window, `must be less than or equal to ${maxWindowSeconds}`);
  }
  if (selectPolicy !== undefined && !["Disabled", "Max", "Min"].includes(selectPolicy)) {
    errors.notSupported(path.child("selectPolicy"), selectPolicy, ["Disabled", "Max", "Min"]);
  }
  if (policies.length === 0) errors.required(path.child("policies"), "must specify at least one Policy");
  for (const [index, policy] of policies.entries()) validatePolicy(policy, path.child("policies").index(index), errors);
  const quantity = tolerance === undefined ? undefined : tryParseQuantity(tolerance);
  if (quantity !== undefined && quantitySign(quantity) < 0) {
    errors.invalid(path.child("tolerance"), tolerance, "must be greater than or equal to 0");
  }
}

function validatePolicy({ type, value = 0, periodSeconds = 0 }: V2HPAScalingPolicy, path: Path, errors: FieldErrors): void {
  if (type !== "Pods" && type !== "Percent") errors.notSupported(path.child("type"), type ?? "", ["Percent", "Pods"]);
  if (value <= 0) errors.invalid(path.child("value"), value, "must be greater than zero");
  if (periodSeconds <= 0) errors.invalid(path.child("periodSeconds"), periodSeconds, "must be greater than zero");
  if (periodSeconds > maxPeriodSeconds) {
    errors.invalid(path.child("periodSeconds"), periodSeconds, `must be less than or equal to ${maxPeriodSeconds}`);
  }
}
