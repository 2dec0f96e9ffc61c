// What workloads have in common: a selector that selects their own template, a template that is a valid pod, a number of
// replicas (pkg/apis/apps/validation).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { LabelSelector, PodTemplateSpec } from "#cluster/api/generated/types.ts";
import { matcherOf, requirementsOf, SelectorError } from "#cluster/api/labels.ts";
import { labelValueReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import { validatePodSpec } from "./core/pod-validation.ts";
import type { FieldErrors, Path } from "./field-errors.ts";

export function validateReplicas(replicas: number | undefined, path: Path, errors: FieldErrors): void {
  if (replicas !== undefined && replicas < 0) errors.invalid(path, replicas, "must be greater than or equal to 0");
}

/** `selectorName` is the kind's word: `deployment`, `replicaset`, `daemonset`. */
export function validateSelector(selector: LabelSelector | undefined, path: Path, errors: FieldErrors, kind: string): void {
  if (selector === undefined) {
    errors.required(path);
    return;
  }
  validateLabelSelector(selector, path, errors);
  if (Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions?.length ?? 0) === 0) {
    errors.invalid(path, selector, `empty selector is invalid for ${kind}`);
  }
}

/** What every label selector must be; an empty one is fine. */
export function validateLabelSelector(selector: LabelSelector, path: Path, errors: FieldErrors): void {
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    for (const reason of qualifiedNameReasons(key)) errors.invalid(path.child("matchLabels"), key, reason);
    for (const reason of labelValueReasons(value)) errors.invalid(path.child("matchLabels").key(key), value, reason);
  }
  for (const [index, { operator, values }] of (selector.matchExpressions ?? []).entries()) {
    const at = path.child("matchExpressions").index(index);
    if ((operator === "In" || operator === "NotIn") && (values?.length ?? 0) === 0) {
      errors.required(at.child("values"), "must be specified when `operator` is 'In' or 'NotIn'");
    } else if ((operator === "Exists" || operator === "DoesNotExist") && (values?.length ?? 0) > 0) {
      errors.forbidden(at.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    } else if (!["In", "NotIn", "Exists", "DoesNotExist"].includes(operator)) {
      errors.invalid(at.child("operator"), operator, "not a valid selector operator");
    }
  }
}

export function validateTemplate(
  template: PodTemplateSpec | undefined,
  selector: LabelSelector | undefined,
  path: Path,
  errors: FieldErrors,
): void {
  if (template === undefined) {
    errors.required(path);
    return;
  }
  const labels = template.metadata?.labels;
  if (selector !== undefined && isReadable(selector) && !isEmpty(selector) && !matcherOf(selector)(labels)) {
    errors.invalid(path.child("metadata", "labels"), labels ?? null, "`selector` does not match template `labels`");
  }
  validatePodSpec(template.spec ?? { containers: [] }, path.child("spec"), errors);
  const restartPolicy = template.spec?.restartPolicy;
  if (restartPolicy !== undefined && ["OnFailure", "Never"].includes(restartPolicy)) {
    errors.notSupported(path.child("spec", "restartPolicy"), restartPolicy, ["Always"]);
  }
  if (template.spec?.activeDeadlineSeconds !== undefined) {
    errors.forbidden(path.child("spec", "activeDeadlineSeconds"), "activeDeadlineSeconds in ReplicaSet is not Supported");
  }
}

function isReadable(selector: LabelSelector): boolean {
  try {
    requirementsOf(selector);
    return true;
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

function isEmpty(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions?.length ?? 0) === 0;
}

export function validateUnchanged(value: unknown, old: unknown, path: Path, errors: FieldErrors): void {
  if (!semanticDeepEqual(value, old)) errors.invalid(path, value, "field is immutable");
}
