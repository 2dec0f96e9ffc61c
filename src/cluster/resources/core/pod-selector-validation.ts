// Labels and label selectors inside other things (apimachinery's meta/v1/validation: ValidateLabels, ValidateLabelSelector),
// and names that are checked by a rule of `api/names.ts`.

import type { LabelSelector } from "#cluster/api/generated/types.ts";
import { labelValueReasons, qualifiedNameReasons, type Reasons } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../field-errors.ts";

/** One error for each reason why `rule` does not allow `value`. */
export function validateBy(rule: (value: string) => Reasons, value: string, path: Path, errors: FieldErrors): void {
  for (const reason of rule(value)) errors.invalid(path, value, reason);
}

export function validateLabelMap(labels: { readonly [key: string]: string }, path: Path, errors: FieldErrors): void {
  for (const key in labels) {
    validateBy(qualifiedNameReasons, key, path, errors);
    validateBy(labelValueReasons, labels[key] as string, path, errors);
  }
}

/** A selector's form; an absent one is no error here. */
export function validateLabelSelector(selector: LabelSelector | undefined, path: Path, errors: FieldErrors): void {
  if (selector === undefined) return;
  if (selector.matchLabels !== undefined) validateLabelMap(selector.matchLabels, path.child("matchLabels"), errors);
  for (const [index, { key, operator, values = [] }] of (selector.matchExpressions ?? []).entries()) {
    const at = path.child("matchExpressions").index(index);
    validateSetOperator(operator, values, at, errors);
    validateBy(qualifiedNameReasons, key ?? "", at.child("key"), errors);
    validateLabelValues(values, at.child("values"), errors);
  }
}

export function validateLabelValues(values: readonly string[], path: Path, errors: FieldErrors): void {
  for (const [index, value] of values.entries()) validateBy(labelValueReasons, value, path.index(index), errors);
}

function validateSetOperator(operator: string, values: readonly string[], path: Path, errors: FieldErrors): void {
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) errors.required(path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0)
      errors.forbidden(path.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else errors.invalid(path.child("operator"), operator ?? "", "not a valid selector operator");
}
