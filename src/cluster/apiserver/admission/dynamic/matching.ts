// Which requests a policy or a webhook is for (apiserver, pkg/admission/plugin/policy/matching and webhook/predicates).

import type { LabelSelector, MatchResources, NamedRuleWithOperations } from "#cluster/api/generated/types.ts";
import { SelectorMatchers } from "#cluster/api/labels.ts";
import { groupVersionOf, type KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Registry } from "#cluster/resources/registry.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Authorizer } from "../../authorization/authorizer.ts";
import { type Origin, wireObject } from "../../encoding.ts";
import type { AdmissionAttributes } from "../chain.ts";

export interface AdmissionWorld {
  readonly store: Store;
  readonly registry: Registry;
  readonly authorizer: Authorizer;
}

const selectors = new SelectorMatchers();

/** What decides about admission is not decided about. */
export function isExempt({ definition }: AdmissionAttributes): boolean {
  return definition.group === "admissionregistration.k8s.io";
}

/** The namespace as admission sees it: that of a Namespace is the Namespace itself. */
export function admissionNamespace({ definition, namespace, object, name }: AdmissionAttributes): string {
  return definition.plural === "namespaces" && definition.group === "" ? name || (object.metadata.name ?? "") : namespace;
}

export function admissionName({ name, object }: AdmissionAttributes): string {
  return name || (object.metadata.name ?? "");
}

/** The object under admission; nothing when it is deleted. */
export function newObject({ operation, object }: AdmissionAttributes): KubeObject | undefined {
  return operation === "DELETE" ? undefined : object;
}

/** The kind in the version in which the request is matched; undefined: it is not. Without rules everything matches. */
export function matchedKind(
  world: AdmissionWorld,
  match: MatchResources,
  attributes: AdmissionAttributes,
): ResourceDefinition | undefined {
  if (!matchesNamespace(world, match.namespaceSelector, attributes)) return undefined;
  if (!matchesObject(match.objectSelector, attributes)) return undefined;
  const { matchPolicy } = match;
  if (matchedByRules(world, match.excludeResourceRules ?? [], matchPolicy, attributes) !== undefined) return undefined;
  if (!match.resourceRules?.length) return attributes.definition;
  return matchedByRules(world, match.resourceRules, matchPolicy, attributes);
}

export function matchedByRules(
  world: AdmissionWorld,
  rules: readonly NamedRuleWithOperations[],
  matchPolicy: string | undefined,
  attributes: AdmissionAttributes,
): ResourceDefinition | undefined {
  const { definition } = attributes;
  if (rules.some((rule) => matchesRule(rule, definition, attributes))) return definition;
  if (matchPolicy === "Exact" || rules.length === 0) return undefined;
  for (const other of equivalents(world.registry, definition)) {
    if (rules.some((rule) => matchesRule(rule, other, attributes))) return other;
  }
  return undefined;
}

/** The same objects in other versions. */
function equivalents(registry: Registry, definition: ResourceDefinition): readonly ResourceDefinition[] {
  const storage = registry.storageOf(definition);
  return registry.all.filter((other) => other !== definition && registry.storageOf(other) === storage);
}

function matchesRule(rule: NamedRuleWithOperations, definition: ResourceDefinition, attributes: AdmissionAttributes): boolean {
  const { operation, subresource } = attributes;
  return (
    has(rule.operations, operation) &&
    has(rule.apiGroups, definition.group) &&
    has(rule.apiVersions, definition.version) &&
    matchesScope(rule.scope, definition) &&
    (rule.resources ?? []).some((text) => matchesResource(text, definition.plural, subresource)) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(admissionName(attributes)))
  );
}

function has(values: readonly string[] | undefined, value: string): boolean {
  return values?.includes("*") === true || values?.includes(value) === true;
}

function matchesScope(scope: string | undefined, { namespaced }: ResourceDefinition): boolean {
  if (scope === undefined || scope === "*") return true;
  return scope === (namespaced ? "Namespaced" : "Cluster");
}

function matchesResource(text: string, plural: string, subresource: string): boolean {
  const [resource, sub = ""] = text.split(/\/(.*)/s);
  return (resource === "*" || resource === plural) && (sub === "*" || sub === subresource);
}

export function matchesNamespace(
  { store }: AdmissionWorld,
  selector: LabelSelector | undefined,
  attributes: AdmissionAttributes,
): boolean {
  const { definition, subresource, operation, object } = attributes;
  const name = admissionNamespace(attributes);
  if (selector === undefined || name === "") return true;
  const isItself = definition.plural === "namespaces" && subresource === "" && operation !== "DELETE";
  const namespace = isItself ? object : store.table("namespaces").get(name);
  return selectors.of(selector)(namespace?.metadata.labels);
}

export function matchesObject(selector: LabelSelector | undefined, attributes: AdmissionAttributes): boolean {
  if (selector === undefined) return true;
  const matches = selectors.of(selector);
  const object = newObject(attributes);
  // What has no labels meets only the selector that asks for none.
  if (attributes.definition.isOptions === true) return !selector.matchExpressions?.length && matches({});
  return (
    (object !== undefined && matches(object.metadata.labels)) ||
    (attributes.old !== undefined && matches(attributes.old.metadata.labels))
  );
}

/** An object of one version as another has it, as it goes over the wire. */
export function inVersion(
  object: KubeObject,
  { definition, answers }: Pick<AdmissionAttributes, "definition" | "answers">,
  to: ResourceDefinition,
  origin: Origin,
): KubeObject {
  return wireObject(to, converted(object, definition, to, answers), origin);
}

/** `answers`: of the request, where a webhook converts. */
export function converted(
  object: KubeObject,
  from: ResourceDefinition,
  to: ResourceDefinition,
  answers: AdmissionAttributes["answers"],
): KubeObject {
  if (from === to) return object;
  const stored = from.converter?.convert(object, groupVersionOf(to), answers) ?? from.toStorage?.(object) ?? object;
  return { ...(to.fromStorage?.(stored) ?? stored), apiVersion: groupVersionOf(to), kind: to.kind };
}
