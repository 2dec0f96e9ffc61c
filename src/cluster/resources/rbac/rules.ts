// What a rule of a Role or a ClusterRole must say (pkg/apis/rbac/validation).

import type { PolicyRule } from "#cluster/api/generated/types.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";

const isEmpty = (list: readonly unknown[] | undefined): boolean => (list?.length ?? 0) === 0;

/** `isNamespaced`: URLs that are no resources belong to no namespace. */
export function validateRules(rules: readonly PolicyRule[] | null | undefined, isNamespaced: boolean, errors: FieldErrors): void {
  const path = field("rules");
  for (const [index, rule] of (rules ?? []).entries()) validateRule(rule, isNamespaced, path.index(index), errors);
}

function validateRule(rule: PolicyRule, isNamespaced: boolean, path: Path, errors: FieldErrors): void {
  if (isEmpty(rule.verbs)) errors.required(path.child("verbs"), "verbs must contain at least one value");
  if (!isEmpty(rule.nonResourceURLs)) {
    const urls = path.child("nonResourceURLs");
    if (isNamespaced) errors.invalid(urls, rule.nonResourceURLs, "namespaced rules cannot apply to non-resource URLs");
    if (!isEmpty(rule.apiGroups) || !isEmpty(rule.resources) || !isEmpty(rule.resourceNames)) {
      errors.invalid(urls, rule.nonResourceURLs, "rules cannot apply to both regular resources and non-resource URLs");
    }
    return;
  }
  if (isEmpty(rule.apiGroups)) errors.required(path.child("apiGroups"), "resource rules must supply at least one api group");
  if (isEmpty(rule.resources)) errors.required(path.child("resources"), "resource rules must supply at least one resource");
}
