// What workloads have in common: counts that are not negative, a selector that selects their own template, a template that
// is a valid pod (pkg/apis/apps/validation, apimachinery's metav1 validation).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { LabelSelector, PodTemplateSpec } from "#cluster/api/generated/types.ts";
import { type LabelMatcher, matcherOf, SelectorError } from "#cluster/api/labels.ts";
import type { Int64 } from "#cluster/api/wire.ts";
import { validateAnnotations } from "./annotation-validation.ts";
import { validatePodSpec } from "./core/pods/pod-validation.ts";
import { validateLabelMap, validateLabelSelector } from "./core/selector-validation.ts";
import type { FieldErrors, Path } from "./field-errors.ts";

export function validateNonnegative(value: Int64 | undefined, path: Path, errors: FieldErrors): void {
  if (value !== undefined && value < 0) errors.invalid(path, value, "must be greater than or equal to 0");
}

/** The named counts below `path`, in order. */
export function validateCounts<O extends object>(
  counts: O | undefined,
  names: readonly (keyof O & string)[],
  path: Path,
  errors: FieldErrors,
): void {
  for (const name of names) validateNonnegative(counts?.[name] as number | undefined, path.child(name), errors);
}

/** Counts of a status that are parts of its replicas, in order. */
export function validateParts<O extends { readonly replicas?: number }>(
  status: O | undefined,
  names: readonly (keyof O & string)[],
  path: Path,
  errors: FieldErrors,
): void {
  for (const name of names) {
    const part = (status?.[name] ?? 0) as number;
    if (part > (status?.replicas ?? 0)) errors.invalid(path.child(name), part, "cannot be greater than status.replicas");
  }
}

/** A counter of hash collisions never goes back. */
export function validateCollisionCount(
  status: { readonly collisionCount?: number } | undefined,
  old: { readonly collisionCount?: number } | undefined,
  path: Path,
  errors: FieldErrors,
): void {
  if (old?.collisionCount === undefined) return;
  const count = status?.collisionCount ?? 0;
  if (count < old.collisionCount) errors.invalid(path.child("collisionCount"), count, "cannot be decremented");
}

export function validateUnchanged(value: unknown, old: unknown, path: Path, errors: FieldErrors): void {
  if (!semanticDeepEqual(value, old)) errors.invalid(path, value, "field is immutable");
}

export function isEmptySelector(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions?.length ?? 0) === 0;
}

/** The predicate of a selector, absent ones select nothing; undefined when it cannot be read. */
export function readableMatcher(selector: LabelSelector | undefined): LabelMatcher | undefined {
  try {
    return matcherOf(selector);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** A selector that must be there and select something; `kind` is upstream's word for whoever has it. */
export function validateOwnSelector(selector: LabelSelector | undefined, kind: string, path: Path, errors: FieldErrors): void {
  if (selector === undefined) {
    errors.required(path);
    return;
  }
  validateLabelSelector(selector, path, errors);
  if (isEmptySelector(selector)) errors.invalid(path, selector, `empty selector is invalid for ${kind}`);
}

/** The template's own labels must satisfy the selector. */
export function validateTemplateLabels(template: PodTemplateSpec, matches: LabelMatcher, path: Path, errors: FieldErrors): void {
  const labels = template.metadata?.labels;
  if (!matches(labels))
    errors.invalid(path.child("metadata", "labels"), labels ?? null, "`selector` does not match template `labels`");
}

/** core's ValidatePodTemplateSpec. */
export function validatePodTemplate(template: PodTemplateSpec, path: Path, errors: FieldErrors): void {
  validateLabelMap(template.metadata?.labels, path.child("labels"), errors);
  validateAnnotations(template.metadata?.annotations, path.child("annotations"), errors);
  validatePodSpec(template.spec ?? { containers: [] }, path.child("spec"), errors);
  if ((template.spec?.ephemeralContainers?.length ?? 0) > 0) {
    errors.forbidden(path.child("spec", "ephemeralContainers"), "ephemeral containers not allowed in pod template");
  }
}

/** Pods that are replaced when they end: `kind` is upstream's word for whoever replaces them. */
export function validateEndless(template: PodTemplateSpec, kind: string, path: Path, errors: FieldErrors): void {
  const restartPolicy = template.spec?.restartPolicy ?? "";
  if (restartPolicy !== "Always") errors.notSupported(path.child("spec", "restartPolicy"), restartPolicy, ["Always"]);
  if (template.spec?.activeDeadlineSeconds !== undefined) {
    errors.forbidden(path.child("spec", "activeDeadlineSeconds"), `activeDeadlineSeconds in ${kind} is not Supported`);
  }
}

/** What ReplicaSets and Deployments ask of their template. */
export function validateReplicaTemplate(
  template: PodTemplateSpec,
  selector: LabelSelector | undefined,
  path: Path,
  errors: FieldErrors,
): void {
  const matches = readableMatcher(selector);
  if (matches === undefined) {
    errors.invalid(path.child("selector"), selector, "invalid label selector");
    return;
  }
  const at = path.child("template");
  if (selector === undefined || !isEmptySelector(selector)) validateTemplateLabels(template, matches, at, errors);
  validatePodTemplate(template, at, errors);
  validateEndless(template, "ReplicaSet", at, errors);
}
