// The algebra of RBAC's rules: what a rule lets pass, taking it apart, putting parts together, whether some rules cover
// others (pkg/registry/rbac/validation, component-helpers/auth/rbac/validation).

import type { PolicyRule } from "./generated/types.ts";

const all = "*";
const none: readonly string[] = [];

/** A request for a resource as rules see it. */
export interface RuleQuestion {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}

/** Whether a rule lets a request pass. */
export function ruleAllows(rule: PolicyRule, question: RuleQuestion): boolean {
  return ruleConcerns(rule, question) && isNamed(rule, question.name);
}

/** The same, whatever the object's name. */
export function ruleConcerns(rule: PolicyRule, { verb, group, resource, subresource }: RuleQuestion): boolean {
  return has(rule.verbs, verb) && has(rule.apiGroups ?? none, group) && hasResource(rule.resources ?? none, resource, subresource);
}

/** Whether a rule is for objects of any name. */
export function isForAllNames(rule: PolicyRule): boolean {
  return rule.resourceNames === undefined || rule.resourceNames.length === 0;
}

/** Whether a rule lets a request for a path pass. */
export function ruleAllowsPath(rule: PolicyRule, verb: string, path: string): boolean {
  return has(rule.verbs, verb) && (rule.nonResourceURLs ?? none).some((pattern) => matchesPath(pattern, path));
}

function isNamed(rule: PolicyRule, name: string): boolean {
  return isForAllNames(rule) || rule.resourceNames?.includes(name) === true;
}

function has(words: readonly string[], word: string): boolean {
  for (const one of words) if (one === all || one === word) return true;
  return false;
}

function hasResource(resources: readonly string[], resource: string, subresource: string): boolean {
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  for (const one of resources) {
    if (one === all || one === full) return true;
    if (subresource !== "" && one === `*/${subresource}`) return true;
  }
  return false;
}

/** A star at the end stands for anything; elsewhere it is a star. */
function matchesPath(pattern: string, path: string): boolean {
  if (pattern === all || pattern === path) return true;
  return pattern.endsWith(all) && path.startsWith(pattern.replace(/\*+$/, ""));
}

/** Rules with one verb, one group, one resource and at most one name each, that together say what `rule` says. */
export function breakdownRule(rule: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = [];
  for (const group of rule.apiGroups ?? none) {
    for (const resource of rule.resources ?? none) {
      for (const verb of rule.verbs) {
        const part = { apiGroups: [group], resources: [resource], verbs: [verb] };
        if (isForAllNames(rule)) parts.push(part);
        else for (const name of rule.resourceNames ?? none) parts.push({ ...part, resourceNames: [name] });
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? none) {
    for (const verb of rule.verbs) parts.push({ nonResourceURLs: [url], verbs: [verb] });
  }
  return parts;
}

/** Those parts of `wanted` that `held` does not cover. */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(breakdownRule).filter((part) => !held.some((rule) => ruleCovers(rule, part)));
}

/** `part` is one of `breakdownRule`. */
function ruleCovers(rule: PolicyRule, part: PolicyRule): boolean {
  const covers = (words: readonly string[] | undefined, wanted: readonly string[] | undefined): boolean =>
    words?.includes(all) === true || (wanted ?? none).every((word) => words?.includes(word) === true);
  return (
    covers(rule.verbs, part.verbs) &&
    covers(rule.apiGroups, part.apiGroups) &&
    (part.resources ?? none).every((resource) => coversResource(rule.resources ?? none, resource)) &&
    (isForAllNames(rule) || (part.resourceNames ?? [""]).every((name) => rule.resourceNames?.includes(name) === true)) &&
    (part.nonResourceURLs ?? none).every((url) => (rule.nonResourceURLs ?? none).some((pattern) => matchesPath(pattern, url)))
  );
}

function coversResource(resources: readonly string[], resource: string): boolean {
  const slash = resource.indexOf("/");
  return resources.includes(all) || resources.includes(resource) || (slash >= 0 && resources.includes(`*${resource.slice(slash)}`));
}

/** Rules for the same single resource as one, with all their verbs; the others first, as they are. */
export function compactRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const others: PolicyRule[] = [];
  const simple = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const key = simpleKeyOf(rule);
    if (key === undefined) {
      others.push(rule);
      continue;
    }
    const known = simple.get(key);
    if (known === undefined) simple.set(key, rule);
    else simple.set(key, { ...known, verbs: [...known.verbs, ...rule.verbs.filter((verb) => !known.verbs.includes(verb))] });
  }
  return [...others, ...simple.values()];
}

/** Undefined for a rule of several groups, resources or names, or of URLs. */
function simpleKeyOf({ apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string | undefined {
  if ((nonResourceURLs?.length ?? 0) > 0 || (resourceNames?.length ?? 0) > 1) return undefined;
  if (apiGroups?.length !== 1 || resources?.length !== 1) return undefined;
  return JSON.stringify([apiGroups[0], resources[0], resourceNames?.[0]]);
}

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}` */
export function formatRule({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts: readonly (readonly [string, readonly string[] | undefined])[] = [
    ["APIGroups", apiGroups],
    ["Resources", resources],
    ["NonResourceURLs", nonResourceURLs],
    ["ResourceNames", resourceNames],
    ["Verbs", verbs],
  ];
  const written = parts.filter(([, words]) => (words?.length ?? 0) > 0).map(([name, words]) => `${name}:${quoted(words ?? none)}`);
  return `{${written.join(", ")}}`;
}

/** `["a" "b"]`, as Go prints a list of texts with %q. */
export function quoted(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(" ")}]`;
}
