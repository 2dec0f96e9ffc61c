// How objects of one kind count against quotas (apiserver's pkg/quota/v1 Evaluator).

import type { ResourceQuota, ScopedResourceSelectorRequirement } from "#cluster/api/generated/types.ts";
import { addLists, masked, type ResourceList } from "./resource-list.ts";

/** What evaluators look at: an object of the kind they are for. */
export type Countable = { readonly metadata?: object; readonly [field: string]: unknown };

export interface Evaluator {
  readonly group: string;
  readonly plural: string;
  /** Whether a write can change the usage. */
  handles(operation: string, subresource: string): boolean;
  /** Whether an update that it handles changes anything that counts; absent: all may. */
  changesUsage?(object: Countable, old: Countable, subresource: string): boolean;
  /** Those of the names of a quota that objects of the kind count for. */
  matchingResources(names: readonly string[]): readonly string[];
  /** Whether an object is in a scope; kinds without scopes are in none. */
  isInScope(selector: ScopedResourceSelectorRequirement, object: Countable): boolean;
  /** What the object must say and does not: `must specify limits.cpu for: web`. */
  missing?(required: readonly string[], object: Countable): string | undefined;
  /** What one object counts for. */
  usage(object: Countable, nowMs: number): ResourceList;
}

/** The scopes of a quota, short and long form. */
export function scopesOf(quota: ResourceQuota): readonly ScopedResourceSelectorRequirement[] {
  const short = (quota.spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" }));
  return [...short, ...(quota.spec?.scopeSelector?.matchExpressions ?? [])];
}

export function isInScopes(evaluator: Evaluator, quota: ResourceQuota, object: Countable): boolean {
  return scopesOf(quota).every((selector) => evaluator.isInScope(selector, object));
}

/** Whether a quota, by the limits in its status, is about an object. */
export function concernsObject(evaluator: Evaluator, quota: ResourceQuota, object: Countable): boolean {
  const names = Object.keys(quota.status?.hard ?? {});
  return evaluator.matchingResources(names).length > 0 && isInScopes(evaluator, quota, object);
}

/** What all objects of a kind in the quota's namespace count for, of the names that the quota limits. */
export function usageOf(evaluator: Evaluator, quota: ResourceQuota, objects: Iterable<Countable>, nowMs: number): ResourceList {
  const names = evaluator.matchingResources(Object.keys(quota.spec?.hard ?? {}));
  let used: ResourceList = Object.fromEntries(names.map((name) => [name, "0"]));
  for (const object of objects) {
    if (isInScopes(evaluator, quota, object)) used = addLists(used, masked(evaluator.usage(object, nowMs), names));
  }
  return used;
}

/** Tells whether a selector's set of values holds what an object has ("" for nothing). */
export function selectsValue({ operator, values = [] }: ScopedResourceSelectorRequirement, value: string): boolean {
  switch (operator) {
    case "In":
      return value !== "" && values.includes(value);
    case "NotIn":
      return value === "" || !values.includes(value);
    case "DoesNotExist":
      return value === "";
    default:
      return value !== "";
  }
}

/** `count/deployments.apps` */
export function countName(group: string, plural: string): string {
  return group === "" ? `count/${plural}` : `count/${plural}.${group}`;
}
