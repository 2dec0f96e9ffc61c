// RBAC's rules as `auth can-i --list` and `describe role` print them: taken apart, put together by resource, sorted.

import type { PolicyRule } from "#cluster/api/generated/types.ts";
import { breakdownRule, compactRules } from "#cluster/api/policy-rules.ts";
import { compareTexts } from "#sim/compare-texts.ts";

export const ruleColumns = ["Resources", "Non-Resource URLs", "Resource Names", "Verbs"] as const;

/** A row a rule, in the order of the columns. */
export function ruleRows(rules: readonly PolicyRule[]): readonly (readonly string[])[] {
  return compactRules(rules.flatMap(breakdownRule))
    .map((rule) => ({ rule, key: goText(rule) }))
    .sort((a, b) => compareTexts(a.key, b.key))
    .map(({ rule }) => [resourceWithGroup(rule), list(rule.nonResourceURLs), list(rule.resourceNames), list(rule.verbs)]);
}

/** `[a b]` */
function list(words: readonly string[] | undefined): string {
  return `[${(words ?? []).join(" ")}]`;
}

/** As the type's String method writes it: what kubectl sorts by. */
function goText({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  return `&PolicyRule{Verbs:${list(verbs)},APIGroups:${list(apiGroups)},Resources:${list(resources)},ResourceNames:${list(resourceNames)},NonResourceURLs:${list(nonResourceURLs)},}`;
}

/** `deployments.apps/scale` */
function resourceWithGroup({ resources = [], apiGroups = [] }: PolicyRule): string {
  const [first] = resources;
  if (first === undefined) return "";
  const slash = first.indexOf("/");
  const [resource, subresource] = slash < 0 ? [first, ""] : [first.slice(0, slash), first.slice(slash)];
  return `${resource}${apiGroups[0] ? `.${apiGroups[0]}` : ""}${subresource}`;
}
