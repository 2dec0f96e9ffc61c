// What one metric of a HorizontalPodAutoscaler must be: a type, that type's source and no other, a target that fits.

import type {
  V2ContainerResourceMetricSource,
  V2MetricIdentifier,
  V2MetricSpec,
  V2MetricTarget,
  V2ResourceMetricSource,
} from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, pathSegmentReasons } from "#cluster/api/names.ts";
import { quantitySign, tryParseQuantity } from "#cluster/api/quantity.ts";
import { validateContainerResourceName } from "../core/limits/quantities-validation.ts";
import type { FieldErrors, Path } from "../field-errors.ts";
import { apiVersionFault, validateReference } from "./hpa-reference.ts";

type Source = "object" | "external" | "pods" | "resource" | "containerResource";

/** In the order in which upstream looks at them. */
const sources: readonly Source[] = ["object", "external", "pods", "resource", "containerResource"];

const sourceOfType: { readonly [type: string]: Source } = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};

const types = Object.keys(sourceOfType);

export function validateMetric(metric: V2MetricSpec, path: Path, errors: FieldErrors): void {
  const { type = "" } = metric;
  const own = Object.hasOwn(sourceOfType, type) ? sourceOfType[type] : undefined;
  if (type === "") errors.required(path.child("type"), "must specify a metric source type");
  if (own === undefined) errors.notSupported(path.child("type"), type, types);
  const present = sources.filter((source) => metric[source] !== undefined);
  const [first] = present;
  if (first !== undefined) validateSource(metric, first, path.child(first), errors);
  if (own === undefined) errors.notSupported(path.child("type"), type, types);
  else if (metric[own] === undefined) errors.required(path.child(own), "must populate information for the given metric source");
  if (present.length === 1) return;
  for (const other of present.filter((source) => source !== own)) {
    errors.forbidden(path.child(other), "must populate the given metric source only");
  }
}

function validateSource(metric: V2MetricSpec, source: Source, path: Path, errors: FieldErrors): void {
  const target = metric[source]?.target ?? { type: "" };
  const targetPath = path.child("target");
  switch (source) {
    case "object": {
      const { describedObject, metric: identifier } = metric.object ?? {};
      const reference = describedObject ?? { kind: "", name: "" };
      validateReference(reference, apiVersionFault(reference.apiVersion), path.child("describedObject"), errors);
      validateIdentifier(identifier, path.child("metric"), errors);
      validateTarget(target, targetPath, errors);
      if (target.value === undefined && target.averageValue === undefined) {
        errors.required(targetPath.child("averageValue"), "must set either a target value or averageValue");
      }
      return;
    }
    case "external":
      validateIdentifier(metric.external?.metric, path.child("metric"), errors);
      validateTarget(target, targetPath, errors);
      if (target.value === undefined && target.averageValue === undefined) {
        errors.required(targetPath.child("averageValue"), "must set either a target value for metric or a per-pod target");
      }
      if (target.value !== undefined && target.averageValue !== undefined) {
        errors.forbidden(targetPath.child("value"), "may not set both a target value for metric and a per-pod target");
      }
      return;
    case "pods":
      validateIdentifier(metric.pods?.metric, path.child("metric"), errors);
      validateTarget(target, targetPath, errors);
      if (target.averageValue === undefined) {
        errors.required(targetPath.child("averageValue"), "must specify a positive target averageValue");
      }
      return;
    case "resource":
      validateResourceName(metric.resource, path.child("name"), false, errors);
      validateResourceTarget(target, targetPath, errors);
      return;
    case "containerResource":
      validateResourceName(metric.containerResource, path.child("name"), true, errors);
      validateContainer(metric.containerResource, path.child("container"), errors);
      validateResourceTarget(target, targetPath, errors);
  }
}

function validateIdentifier(identifier: V2MetricIdentifier | undefined, path: Path, errors: FieldErrors): void {
  const name = identifier?.name ?? "";
  if (name === "") errors.required(path.child("name"), "must specify a metric name");
  else for (const reason of pathSegmentReasons(name)) errors.invalid(path.child("name"), name, reason);
}

function validateResourceName(
  source: V2ResourceMetricSource | V2ContainerResourceMetricSource | undefined,
  path: Path,
  isChecked: boolean,
  errors: FieldErrors,
): void {
  const name = source?.name ?? "";
  if (name === "") errors.required(path, "must specify a resource name");
  else if (isChecked) validateContainerResourceName(name, path, errors);
}

function validateContainer(source: V2ContainerResourceMetricSource | undefined, path: Path, errors: FieldErrors): void {
  const name = source?.container ?? "";
  if (name === "") errors.required(path, "must specify a container");
  else for (const reason of dns1123LabelReasons(name)) errors.invalid(path, name, reason);
}

function validateResourceTarget(target: V2MetricTarget, path: Path, errors: FieldErrors): void {
  validateTarget(target, path, errors);
  const { averageUtilization, averageValue } = target;
  if (averageUtilization === undefined && averageValue === undefined) {
    errors.required(path.child("averageUtilization"), "must set either a target raw value or a target utilization");
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    errors.forbidden(path.child("averageValue"), "may not set both a target raw value and a target utilization");
  }
}

function validateTarget(target: V2MetricTarget, path: Path, errors: FieldErrors): void {
  const { type = "", averageUtilization } = target;
  if (type === "") errors.required(path.child("type"), "must specify a metric target type");
  if (!["Utilization", "Value", "AverageValue"].includes(type)) {
    errors.invalid(path.child("type"), type, "must be either Utilization, Value, or AverageValue");
  }
  for (const name of ["value", "averageValue"] as const) {
    const text = target[name];
    const quantity = text === undefined ? undefined : tryParseQuantity(text);
    if (quantity !== undefined && quantitySign(quantity) <= 0) errors.invalid(path.child(name), text, "must be positive");
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    errors.invalid(path.child("averageUtilization"), averageUtilization, "must be greater than 0");
  }
}
