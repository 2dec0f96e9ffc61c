// Which requests a webhook or a policy is for: rules over operations and resources, with selectors of namespaces and objects.

import type { MatchResources, NamedRuleWithOperations, RuleWithOperations } from "#cluster/api/generated/types.ts";
import { pathSegmentReasons } from "#cluster/api/names.ts";
import { validateLabelSelector } from "../core/selector-validation.ts";
import type { FieldErrors, Path } from "../field-errors.ts";
import { changed, each, filled } from "../filling.ts";

export const failurePolicies: readonly string[] = ["Fail", "Ignore"];
export const matchPolicies: readonly string[] = ["Equivalent", "Exact"];
export const reinvocationPolicies: readonly string[] = ["IfNeeded", "Never"];
const operations: readonly string[] = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const scopes: readonly string[] = ["*", "Cluster", "Namespaced"];

export function withScopes<R extends RuleWithOperations>(rules: readonly R[]): readonly R[] {
  return each(rules, (rule) => filled<RuleWithOperations>(rule, { scope: "*" }) as R);
}

export function withMatchDefaults(match: MatchResources): MatchResources {
  const complete = filled(match, { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} });
  return changed(changed(complete, "resourceRules", withScopes), "excludeResourceRules", withScopes);
}

/** One of the words, where the field is there; fields that have defaults always are. */
export function validateWord(value: string | undefined, words: readonly string[], path: Path, errors: FieldErrors): void {
  if (value !== undefined && !words.includes(value)) errors.notSupported(path, value, words);
}

export function validateRule(rule: RuleWithOperations, path: Path, errors: FieldErrors): void {
  if (!rule.operations?.length) errors.required(path.child("operations"));
  else if (rule.operations.length > 1 && rule.operations.includes("*")) {
    errors.invalid(path.child("operations"), rule.operations, "if '*' is present, must not specify other operations");
  }
  for (const [index, operation] of (rule.operations ?? []).entries()) {
    validateWord(operation, operations, path.child("operations").index(index), errors);
  }
  validateWildcard(rule.apiGroups, path.child("apiGroups"), "API groups", errors);
  validateWildcard(rule.apiVersions, path.child("apiVersions"), "API versions", errors);
  for (const [index, version] of (rule.apiVersions ?? []).entries()) {
    if (version === "") errors.required(path.child("apiVersions").index(index));
  }
  validateResources(rule.resources ?? [], path.child("resources"), errors);
  validateWord(rule.scope, scopes, path.child("scope"), errors);
}

function validateWildcard(values: readonly string[] | undefined, path: Path, what: string, errors: FieldErrors): void {
  if (!values?.length) errors.required(path);
  else if (values.length > 1 && values.includes("*")) {
    errors.invalid(path, values, `if '*' is present, must not specify other ${what}`);
  }
}

/** Resources, subresources (`pods/log`), all of either; no two that say the same. */
function validateResources(resources: readonly string[], path: Path, errors: FieldErrors): void {
  if (resources.length === 0) errors.required(path);
  const wholes = new Set<string>();
  const everywhere = new Set<string>();
  for (const [index, text] of resources.entries()) {
    const at = path.index(index);
    const [resource = "", subresource] = text.split(/\/(.*)/s);
    if (text === "") errors.required(at);
    if (subresource === undefined) continue;
    if (wholes.has(resource)) errors.invalid(at, text, `if '${resource}/*' is present, must not specify ${text}`);
    if (everywhere.has(subresource)) errors.invalid(at, text, `if '*/${subresource}' is present, must not specify ${text}`);
    if (subresource === "*") wholes.add(resource);
    if (resource === "*") everywhere.add(subresource);
  }
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.invalid(path, resources, "if '*/*' is present, must not specify other resources");
  }
  // As upstream, the last resource without a subresource decides.
  const last = resources.findLast((text) => text !== "" && !text.includes("/"));
  if (resources.includes("*") && last !== "*") {
    errors.invalid(path, resources, "if '*' is present, must not specify other resources without subresources");
  }
}

export function validateMatchResources(match: MatchResources, path: Path, errors: FieldErrors): void {
  validateWord(match.matchPolicy, matchPolicies, path.child("matchPolicy"), errors);
  if (match.namespaceSelector !== undefined) {
    validateLabelSelector(match.namespaceSelector, path.child("namespaceSelector"), errors);
  }
  if (match.objectSelector !== undefined) validateLabelSelector(match.objectSelector, path.child("objectSelector"), errors);
  for (const name of ["resourceRules", "excludeResourceRules"] as const) {
    for (const [index, rule] of (match[name] ?? []).entries()) validateNamedRule(rule, path.child(name).index(index), errors);
  }
}

function validateNamedRule(rule: NamedRuleWithOperations, path: Path, errors: FieldErrors): void {
  const names = new Set<string>();
  for (const [index, name] of (rule.resourceNames ?? []).entries()) {
    const at = path.child("resourceNames").index(index);
    for (const reason of pathSegmentReasons(name)) errors.invalid(at, name, reason);
    if (names.has(name)) errors.duplicate(at, name);
    names.add(name);
  }
  validateRule(rule, path, errors);
}
