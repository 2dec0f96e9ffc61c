// What selectors of labels and of nodes must be (apimachinery's meta/v1/validation; ValidateNodeSelector).

import type { LabelSelector, NodeSelector, NodeSelectorRequirement } from "#cluster/api/generated/types.ts";
import { labelValueReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../field-errors.ts";
import { subdomainName } from "../name-rules.ts";

export function validateLabelKey(key: string, path: Path, errors: FieldErrors): void {
  for (const reason of qualifiedNameReasons(key)) errors.invalid(path, key, reason);
}

/** A map of labels that is not an object's own: both faults are reported at the map. */
export function validateLabelMap(labels: { readonly [key: string]: string } | undefined, path: Path, errors: FieldErrors): void {
  if (labels === undefined) return;
  for (const key of Object.keys(labels)) {
    validateLabelKey(key, path, errors);
    for (const reason of labelValueReasons(labels[key] as string)) errors.invalid(path, labels[key], reason);
  }
}

export function validateLabelSelector(selector: LabelSelector | undefined, path: Path, errors: FieldErrors): void {
  if (selector === undefined) return;
  validateLabelMap(selector.matchLabels, path.child("matchLabels"), errors);
  for (const [index, { key, operator, values = [] }] of (selector.matchExpressions ?? []).entries()) {
    const at = path.child("matchExpressions").index(index);
    if (operator === "In" || operator === "NotIn") {
      if (values.length === 0) errors.required(at.child("values"), "must be specified when `operator` is 'In' or 'NotIn'");
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      if (values.length > 0)
        errors.forbidden(at.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    } else errors.invalid(at.child("operator"), operator ?? "", "not a valid selector operator");
    validateLabelKey(key ?? "", at.child("key"), errors);
    for (const [position, value] of values.entries()) {
      for (const reason of labelValueReasons(value)) errors.invalid(at.child("values").index(position), value, reason);
    }
  }
}

export function validateNodeSelector(selector: NodeSelector, path: Path, errors: FieldErrors): void {
  const termsPath = path.child("nodeSelectorTerms");
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) errors.required(termsPath, "must have at least one node selector term");
  for (const [index, term] of terms.entries()) {
    const at = termsPath.index(index);
    for (const [position, requirement] of (term.matchExpressions ?? []).entries()) {
      validateRequirement(requirement, at.child("matchExpressions").index(position), errors);
    }
    for (const [position, requirement] of (term.matchFields ?? []).entries()) {
      validateFieldRequirement(requirement, at.child("matchFields").index(position), errors);
    }
  }
}

function validateRequirement({ key, operator, values = [] }: NodeSelectorRequirement, path: Path, errors: FieldErrors): void {
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) errors.required(path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0)
      errors.forbidden(path.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else if (operator === "Gt" || operator === "Lt") {
    if (values.length !== 1)
      errors.required(path.child("values"), "must be specified single value when `operator` is 'Lt' or 'Gt'");
  } else errors.invalid(path.child("operator"), operator ?? "", "not a valid selector operator");
  validateLabelKey(key ?? "", path.child("key"), errors);
  for (const [position, value] of values.entries()) {
    for (const reason of labelValueReasons(value)) errors.invalid(path.child("values").index(position), value, reason);
  }
}

/** Nodes have one field that can be selected by: their name. */
function validateFieldRequirement({ key, operator, values = [] }: NodeSelectorRequirement, path: Path, errors: FieldErrors): void {
  if (operator === "In" || operator === "NotIn") {
    if (values.length !== 1)
      errors.required(path.child("values"), "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  } else errors.invalid(path.child("operator"), operator ?? "", "not a valid selector operator");
  if (key !== "metadata.name") errors.invalid(path.child("key"), key, "not a valid field selector key");
  else {
    for (const [position, value] of values.entries()) {
      for (const reason of subdomainName(value, false)) errors.invalid(path.child("values").index(position), value, reason);
    }
  }
}
