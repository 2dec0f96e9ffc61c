// Affinity of pods to nodes and to other pods (pkg/apis/core/validation: validateAffinity).

import type { Affinity, LabelSelector, NodeAffinity, PodAffinity, PodAffinityTerm } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { validateBy, validateLabelSelector, validateNodeSelector, validateNodeSelectorTerm } from "../selector-validation.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

export function validateAffinity(affinity: Affinity, path: Path, errors: FieldErrors): void {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  if (nodeAffinity !== undefined) validateNodeAffinity(nodeAffinity, path.child("nodeAffinity"), errors);
  if (podAffinity !== undefined) validatePodAffinity(podAffinity, path.child("podAffinity"), errors);
  if (podAntiAffinity !== undefined) validatePodAffinity(podAntiAffinity, path.child("podAntiAffinity"), errors);
}

function validateNodeAffinity(affinity: NodeAffinity, path: Path, errors: FieldErrors): void {
  const selector = affinity[required];
  if (selector !== undefined) validateNodeSelector(selector, path.child(required), errors);
  for (const [index, term] of (affinity[preferred] ?? []).entries()) {
    const at = path.child(preferred).index(index);
    validateWeight(term.weight, at, errors);
    // Values that are no label values are let pass: such a preference merely never matches.
    validateNodeSelectorTerm(term.preference ?? {}, false, at.child("preference"), errors);
  }
}

function validatePodAffinity(affinity: PodAffinity, path: Path, errors: FieldErrors): void {
  for (const [index, term] of (affinity[required] ?? []).entries()) {
    validatePodAffinityTerm(term, path.child(required).index(index), errors);
  }
  for (const [index, { weight, podAffinityTerm }] of (affinity[preferred] ?? []).entries()) {
    const at = path.child(preferred).index(index);
    validateWeight(weight, at, errors);
    validatePodAffinityTerm(podAffinityTerm ?? { topologyKey: "" }, at.child("podAffinityTerm"), errors);
  }
}

function validateWeight(weight = 0, path: Path, errors: FieldErrors): void {
  if (weight <= 0 || weight > 100) errors.invalid(path.child("weight"), weight, "must be in the range 1-100");
}

function validatePodAffinityTerm(term: PodAffinityTerm, path: Path, errors: FieldErrors): void {
  validateLabelSelector(term.labelSelector, path.child("labelSelector"), errors);
  validateLabelSelector(term.namespaceSelector, path.child("namespaceSelector"), errors);
  for (const name of term.namespaces ?? []) validateBy(dns1123LabelReasons, name, path.child("namespace"), errors);
  validateLabelKeys(term.matchLabelKeys ?? [], term.mismatchLabelKeys ?? [], term.labelSelector, path, errors);
  const { topologyKey = "" } = term;
  if (topologyKey === "") errors.required(path.child("topologyKey"), "can not be empty");
  validateBy(qualifiedNameReasons, topologyKey, path.child("topologyKey"), errors);
}

/**
 * matchLabelKeys and mismatchLabelKeys: names of labels, with a selector beside them, not twice in it. The selector is the
 * one that the keys have been merged into, so a key that it names more than once was there before.
 */
export function validateLabelKeys(
  match: readonly string[],
  mismatch: readonly string[],
  selector: LabelSelector | undefined,
  path: Path,
  errors: FieldErrors,
): void {
  validateKeyNames(match, selector, path.child("matchLabelKeys"), errors);
  validateKeyNames(mismatch, selector, path.child("mismatchLabelKeys"), errors);
  const seen = new Set(Object.keys(selector?.matchLabels ?? {}));
  for (const { key } of selector?.matchExpressions ?? []) {
    const position = match.lastIndexOf(key);
    if (position >= 0 && seen.has(key))
      errors.invalid(path.index(position), key, "exists in both matchLabelKeys and labelSelector");
    seen.add(key);
  }
  for (const [index, key] of match.entries()) {
    if (mismatch.includes(key))
      errors.invalid(path.child("matchLabelKeys").index(index), key, "exists in both matchLabelKeys and mismatchLabelKeys");
  }
}

function validateKeyNames(keys: readonly string[], selector: LabelSelector | undefined, path: Path, errors: FieldErrors): void {
  if (keys.length === 0) return;
  if (selector === undefined) errors.forbidden(path, "must not be specified when labelSelector is not set");
  else for (const [index, key] of keys.entries()) validateBy(qualifiedNameReasons, key, path.index(index), errors);
}
