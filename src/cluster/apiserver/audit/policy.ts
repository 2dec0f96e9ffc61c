// An audit policy (audit.k8s.io/v1): how much of which requests is written. The first rule that fits decides; what fits none is not
// written (apiserver, pkg/audit/policy/checker.go).

import type { UserInfo } from "#cluster/client/client.ts";

export const levels = ["None", "Metadata", "Request", "RequestResponse"] as const;
export type Level = (typeof levels)[number];

export const stages = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"] as const;
export type Stage = (typeof stages)[number];

export interface GroupResources {
  /** "": the core group; `*`: all. */
  readonly group?: string;
  // A comment of the other form would end at `*/status`.
  // `pods`, `pods/log`, `pods/*`, `*/status`, `*`; none: all of the group.
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface PolicyRule {
  readonly level: Level;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly GroupResources[];
  /** "": what has no namespace. */
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly Stage[];
  readonly omitManagedFields?: boolean;
}

export interface AuditPolicy {
  readonly rules: readonly PolicyRule[];
  readonly omitStages?: readonly Stage[];
  readonly omitManagedFields?: boolean;
}

/** What a policy looks at, before impersonation. */
export interface AuditedAttributes {
  /** Undefined: credentials that were refused. */
  readonly user: UserInfo | undefined;
  readonly verb: string;
  readonly isResource: boolean;
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** What is written of a request. */
export interface Verdict {
  readonly level: Level;
  readonly omitStages: readonly Stage[];
  readonly omitManagedFields: boolean;
}

/** Judges requests by a policy. Each rule's verdict is made once. */
export function judgeOf(policy: AuditPolicy): (attributes: AuditedAttributes) => Verdict {
  const { rules, omitStages = [], omitManagedFields = false } = policy;
  const verdicts = rules.map(
    (rule): Verdict => ({
      level: rule.level,
      omitStages: [...omitStages, ...(rule.omitStages ?? [])],
      omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
    }),
  );
  const unmatched: Verdict = { level: "None", omitStages, omitManagedFields };
  return (attributes) => verdicts[rules.findIndex((rule) => matches(rule, attributes))] ?? unmatched;
}

/** Whether a level includes what another one writes. */
export function isAtLeast(level: Level, other: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(other);
}

function matches(rule: PolicyRule, attributes: AuditedAttributes): boolean {
  const { users, userGroups, verbs, resources, namespaces, nonResourceURLs } = rule;
  const { user, verb } = attributes;
  if (isGiven(users) && !(user !== undefined && users.includes(user.name))) return false;
  if (isGiven(userGroups) && user?.groups.some((group) => userGroups.includes(group)) !== true) return false;
  if (isGiven(verbs) && !verbs.includes(verb)) return false;
  if (isGiven(namespaces) || isGiven(resources)) return matchesResource(rule, attributes);
  if (isGiven(nonResourceURLs)) return !attributes.isResource && nonResourceURLs.some((url) => matchesPath(url, attributes.path));
  return true;
}

/** An empty list asks for nothing. */
function isGiven<T>(list: readonly T[] | undefined): list is readonly T[] {
  return list !== undefined && list.length > 0;
}

function matchesPath(url: string, path: string): boolean {
  if (url === "*" || url === path) return true;
  return url.endsWith("*") && path.startsWith(url.replace(/\*+$/, ""));
}

function matchesResource({ namespaces, resources }: PolicyRule, attributes: AuditedAttributes): boolean {
  if (!attributes.isResource) return false;
  if (isGiven(namespaces) && !namespaces.includes(attributes.namespace)) return false;
  return !isGiven(resources) || resources.some((candidate) => concerns(candidate, attributes));
}

function concerns({ group = "", resources, resourceNames }: GroupResources, attributes: AuditedAttributes): boolean {
  const { resource, subresource, name } = attributes;
  if (group !== "*" && group !== attributes.group) return false;
  if (!isGiven(resources)) return true;
  if (isGiven(resourceNames) && !resourceNames.includes(name)) return false;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  return resources.some(
    (pattern) =>
      pattern === "*" || pattern === full || (subresource !== "" && pattern === `*/${subresource}`) || pattern === `${resource}/*`,
  );
}
