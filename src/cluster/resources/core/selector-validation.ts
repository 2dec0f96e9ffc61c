// Rules for labels and selectors inside other things: maps of labels, selectors of labels and of nodes (apimachinery's
// meta/v1/validation; pkg/apis/core/validation: ValidateNodeSelector). `validateBy` holds a text to a rule of `api/names.ts`.

import type {
  LabelSelector,
  LabelSelectorRequirement,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
} from "#cluster/api/generated/types.ts";
import { dns1123SubdomainReasons, labelValueReasons, qualifiedNameReasons, type Reasons } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../field-errors.ts";

/** One error for each reason why `rule` does not allow `value`. */
export function validateBy(rule: (value: string) => Reasons, value: string, path: Path, errors: FieldErrors): void {
  const reasons = rule(value);
  if (reasons.length > 0) for (const reason of reasons) errors.invalid(path, value, reason);
}

export function validateLabelKey(key: string, path: Path, errors: FieldErrors): void {
  validateBy(qualifiedNameReasons, key, path, errors);
}

/** A map of labels that is not an object's own: faults of keys and of values are told at the map. */
export function validateLabelMap(labels: { readonly [key: string]: string } | undefined, path: Path, errors: FieldErrors): void {
  for (const key in labels) {
    validateLabelKey(key, path, errors);
    validateBy(labelValueReasons, labels[key] as string, path, errors);
  }
}

/** A selector's form; an absent one has no faults. */
export function validateLabelSelector(selector: LabelSelector | undefined, path: Path, errors: FieldErrors): void {
  if (selector === undefined) return;
  validateLabelMap(selector.matchLabels, path.child("matchLabels"), errors);
  for (const [index, requirement] of (selector.matchExpressions ?? []).entries()) {
    const at = path.child("matchExpressions").index(index);
    if (!validateSetOperator(requirement, at, errors)) notAnOperator(requirement, at, errors);
    validateLabelKey(requirement.key ?? "", at.child("key"), errors);
    validateLabelValues(requirement.values, at.child("values"), errors);
  }
}

export function validateNodeSelector(selector: NodeSelector, path: Path, errors: FieldErrors): void {
  const terms = selector.nodeSelectorTerms ?? [];
  const at = path.child("nodeSelectorTerms");
  if (terms.length === 0) errors.required(at, "must have at least one node selector term");
  for (const [index, term] of terms.entries()) validateNodeSelectorTerm(term, true, at.index(index), errors);
}

export function validateNodeSelectorTerm(term: NodeSelectorTerm, checkValues: boolean, path: Path, errors: FieldErrors): void {
  for (const [index, requirement] of (term.matchExpressions ?? []).entries()) {
    validateNodeRequirement(requirement, checkValues, path.child("matchExpressions").index(index), errors);
  }
  for (const [index, requirement] of (term.matchFields ?? []).entries()) {
    validateNodeFieldRequirement(requirement, path.child("matchFields").index(index), errors);
  }
}

function validateNodeRequirement(
  requirement: NodeSelectorRequirement,
  checkValues: boolean,
  path: Path,
  errors: FieldErrors,
): void {
  const { key, operator, values = [] } = requirement;
  if (operator === "Gt" || operator === "Lt") {
    if (values.length !== 1)
      errors.required(path.child("values"), "must be specified single value when `operator` is 'Lt' or 'Gt'");
  } else if (!validateSetOperator(requirement, path, errors)) notAnOperator(requirement, path, errors);
  validateLabelKey(key ?? "", path.child("key"), errors);
  if (checkValues) validateLabelValues(values, path.child("values"), errors);
}

/** Nodes have one field that can be selected by: their name. */
function validateNodeFieldRequirement(requirement: NodeSelectorRequirement, path: Path, errors: FieldErrors): void {
  const { key, operator, values = [] } = requirement;
  if (operator !== "In" && operator !== "NotIn") notAnOperator(requirement, path, errors);
  else if (values.length !== 1) {
    errors.required(path.child("values"), "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  }
  if (key !== "metadata.name") {
    errors.invalid(path.child("key"), key ?? "", "not a valid field selector key");
    return;
  }
  for (const [index, value] of values.entries())
    validateBy(dns1123SubdomainReasons, value, path.child("values").index(index), errors);
}

/** Answers whether the operator is one of those that labels and nodes share. */
export function validateSetOperator({ operator, values = [] }: LabelSelectorRequirement, path: Path, errors: FieldErrors): boolean {
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) errors.required(path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'");
    return true;
  }
  if (operator !== "Exists" && operator !== "DoesNotExist") return false;
  if (values.length > 0) {
    errors.forbidden(path.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  }
  return true;
}

function notAnOperator({ operator }: LabelSelectorRequirement, path: Path, errors: FieldErrors): void {
  errors.invalid(path.child("operator"), operator ?? "", "not a valid selector operator");
}

export function validateLabelValues(values: readonly string[] = [], path: Path, errors: FieldErrors): void {
  for (const [index, value] of values.entries()) validateBy(labelValueReasons, value, path.index(index), errors);
}
