// What a ResourceQuota must be (pkg/apis/core/validation: ValidateResourceQuotaSpec and its kin).

import type { ResourceQuotaSpec, ResourceQuotaStatus, ScopedResourceSelectorRequirement } from "#cluster/api/generated/types.ts";
import { type FieldErrors, field, goValue, type Path } from "../../field-errors.ts";
import { isQuotaResource, validateQuotaResourceName, validateResourceAmount } from "./quantities-validation.ts";

const podCompute = ["pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];
/** The scopes, and the resources that each can be combined with. */
const scopeResources: { readonly [scope: string]: readonly string[] } = {
  Terminating: podCompute,
  NotTerminating: podCompute,
  BestEffort: ["pods"],
  NotBestEffort: podCompute,
  PriorityClass: podCompute,
  CrossNamespacePodAffinity: podCompute,
  VolumeAttributesClass: ["persistentvolumeclaims", "requests.storage"],
};
/** Scopes that a pod is in or not, without values. */
const existenceScopes = ["BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity"];
const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

export function validateQuotaSpec(spec: ResourceQuotaSpec, errors: FieldErrors): void {
  validateAmounts(spec.hard, field("spec", "hard"), errors);
  const { scopes = [] } = spec;
  const scopesPath = field("spec", "scopes");
  for (const scope of scopes) {
    if (scopeResources[scope] === undefined) errors.invalid(scopesPath, scopes, "unsupported scope");
    for (const _name of foreignResources(scope, spec)) errors.invalid(scopesPath, scopes, "unsupported scope applied to resource");
  }
  validateNoOpposites(scopes, spec, scopesPath, errors);
  if (spec.scopeSelector !== undefined) validateScopeSelector(spec, errors);
}

function validateScopeSelector(spec: ResourceQuotaSpec, errors: FieldErrors): void {
  const path = field("spec", "scopeSelector", "matchExpressions");
  const requirements = spec.scopeSelector?.matchExpressions ?? [];
  for (const requirement of requirements) {
    const { scopeName = "" } = requirement;
    if (scopeResources[scopeName] === undefined) errors.invalid(path.child("scopeName"), scopeName, "unsupported scope");
    for (const _name of foreignResources(scopeName, spec)) {
      errors.invalid(path, goValue(spec.scopeSelector), "unsupported scope applied to resource");
    }
    validateScopeRequirement(requirement, path, errors);
  }
  validateNoOpposites(
    requirements.map(({ scopeName }) => scopeName),
    spec,
    path,
    errors,
  );
}

function validateScopeRequirement(requirement: ScopedResourceSelectorRequirement, path: Path, errors: FieldErrors): void {
  const { scopeName, operator = "", values = [] } = requirement;
  if (existenceScopes.includes(scopeName) && operator !== "Exists") {
    errors.invalid(
      path.child("operator"),
      operator,
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
    );
  }
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      errors.required(path.child("values"), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      errors.invalid(
        path.child("values"),
        values,
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      );
    }
  } else errors.invalid(path.child("operator"), operator, "not a valid selector operator");
}

/** The resources of the quota that a scope says nothing of. */
function foreignResources(scope: string, { hard = {} }: ResourceQuotaSpec): readonly string[] {
  const allowed = scopeResources[scope];
  if (allowed === undefined) return [];
  return Object.keys(hard).filter((name) => isQuotaResource(name) && !allowed.includes(name));
}

function validateNoOpposites(scopes: readonly string[], spec: ResourceQuotaSpec, path: Path, errors: FieldErrors): void {
  for (const pair of opposites) {
    if (pair.every((scope) => scopes.includes(scope))) errors.invalid(path, spec.scopes, "conflicting scopes");
  }
}

export function validateQuotaUpdate(spec: ResourceQuotaSpec, old: ResourceQuotaSpec, errors: FieldErrors): void {
  validateQuotaSpec(spec, errors);
  const [now, before] = [new Set(spec.scopes ?? []), new Set(old.scopes ?? [])];
  const same = now.size === before.size && [...now].every((scope) => before.has(scope));
  if (!same) errors.invalid(field("spec", "scopes"), spec.scopes, "field is immutable");
}

export function validateQuotaStatus({ hard, used }: ResourceQuotaStatus, errors: FieldErrors): void {
  validateAmounts(hard, field("status", "hard"), errors);
  validateAmounts(used, field("status", "used"), errors);
}

function validateAmounts(amounts: { readonly [name: string]: string } = {}, path: Path, errors: FieldErrors): void {
  for (const name of Object.keys(amounts)) {
    validateQuotaResourceName(name, path.key(name), errors);
    validateResourceAmount(name, amounts[name] as string, path.key(name), errors);
  }
}
