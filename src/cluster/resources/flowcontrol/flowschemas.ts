// FlowSchema: which requests belong together (pkg/apis/flowcontrol/validation). Nothing is throttled here; replies say which schema
// they belong to.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type {
  FlowSchema,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  FlowcontrolV1Subject as Subject,
} from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import { flowSchemas as type } from "#cluster/api/kinds.ts";
import { dns1123LabelReasons, dns1123SubdomainReasons } from "#cluster/api/names.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { mandatorySchemas } from "./bootstrap-objects.ts";
import { validateConditions } from "./conditions.ts";
import { earlyFlowSchemas } from "./early-flowcontrol.ts";

const verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];
const maxPrecedence = 10_000;

export const flowSchemas = defineResource(type, {
  ...earlyFlowSchemas,
  validate,
  validateUpdate: (schema, _old, errors) => validate(schema, errors),
  validateStatusUpdate: (schema, _old, errors) => validateConditions(schema.status?.conditions, errors),
  columns: [
    nameColumn,
    column("PriorityLevel", "`name` is the name of the priority level configuration being referenced Required."),
    column(
      "MatchingPrecedence",
      "`matchingPrecedence` is used to choose among the FlowSchemas that match a given request. The chosen FlowSchema is among those with the numerically lowest (which we take to be logically highest) MatchingPrecedence.  Each MatchingPrecedence value must be ranged in [1,10000]. Note that if the precedence is not specified, it will be set to 1000 as default.",
    ),
    column(
      "DistinguisherMethod",
      "`distinguisherMethod` defines how to compute the flow distinguisher for requests that match this schema. `nil` specifies that the distinguisher is disabled and thus will always be the empty string.",
    ),
    ageColumn,
    column("MissingPL", "references a broken or non-existent PriorityLevelConfiguration"),
  ],
  row: (schema, context) => [
    nameCell(schema),
    schema.spec?.priorityLevelConfiguration.name ?? "",
    schema.spec?.matchingPrecedence ?? 0,
    schema.spec?.distinguisherMethod?.type ?? "<none>",
    ageCell(schema, context),
    schema.status?.conditions?.find(({ type }) => type === "Dangling")?.status ?? "?",
  ],
  rowOrder: (a, b) =>
    (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0) ||
    compareBytes(a.metadata.name ?? "", b.metadata.name ?? ""),
});

function validate(schema: Typed<FlowSchema>, errors: FieldErrors): void {
  const { name = "" } = schema.metadata;
  const spec: FlowSchemaSpec = schema.spec ?? { priorityLevelConfiguration: { name: "" } };
  const path = field("spec");
  validateSpec(name, spec, path, errors);
  const fixed = Object.hasOwn(mandatorySchemas, name) ? mandatorySchemas[name] : undefined;
  if (fixed !== undefined && !semanticDeepEqual(spec, fixed)) {
    errors.invalid(path, spec, `spec of '${name}' must equal the fixed value`);
  }
  validateConditions(schema.status?.conditions, errors);
}

function validateSpec(name: string, spec: FlowSchemaSpec, path: Path, errors: FieldErrors): void {
  const { matchingPrecedence = 0, distinguisherMethod, priorityLevelConfiguration } = spec;
  const precedence = path.child("matchingPrecedence");
  if (matchingPrecedence <= 0) errors.invalid(precedence, matchingPrecedence, "must be a positive value");
  if (matchingPrecedence > maxPrecedence)
    errors.invalid(precedence, matchingPrecedence, `must not be greater than ${maxPrecedence}`);
  if (matchingPrecedence === 1 && name !== "exempt") {
    errors.invalid(precedence, matchingPrecedence, "only the schema named 'exempt' may have matchingPrecedence 1");
  }
  if (distinguisherMethod !== undefined && !["ByNamespace", "ByUser"].includes(distinguisherMethod.type)) {
    errors.notSupported(path.child("distinguisherMethod", "type"), { Type: distinguisherMethod.type }, ["ByNamespace", "ByUser"]);
  }
  const level = path.child("priorityLevelConfiguration", "name");
  if (!priorityLevelConfiguration.name) errors.required(level, "must reference a priority level");
  else {
    for (const reason of dns1123SubdomainReasons(priorityLevelConfiguration.name)) {
      errors.invalid(level, priorityLevelConfiguration.name, reason);
    }
  }
  for (const [index, rule] of (spec.rules ?? []).entries()) validateRules(rule, path.child("rules").index(index), errors);
}

function validateRules(rule: PolicyRulesWithSubjects, path: Path, errors: FieldErrors): void {
  const { subjects = [], resourceRules = [], nonResourceRules = [] } = rule;
  if (subjects.length === 0) errors.required(path.child("subjects"), "subjects must contain at least one value");
  for (const [index, subject] of subjects.entries()) validateSubject(subject, path.child("subjects").index(index), errors);
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    errors.required(path, "at least one of resourceRules and nonResourceRules has to be non-empty");
  }
  for (const [index, one] of resourceRules.entries()) validateResourceRule(one, path.child("resourceRules").index(index), errors);
  for (const [index, one] of nonResourceRules.entries()) validatePathRule(one, path.child("nonResourceRules").index(index), errors);
}

const subjectFields = { ServiceAccount: "serviceAccount", User: "user", Group: "group" } as const;

function validateSubject(subject: Subject, path: Path, errors: FieldErrors): void {
  const kind = subject.kind as keyof typeof subjectFields;
  const own = subjectFields[kind];
  if (own === undefined) {
    errors.notSupported(path.child("kind"), subject.kind, ["Group", "ServiceAccount", "User"]);
    return;
  }
  const value = subject[own];
  if (value === undefined) errors.required(path.child(own), `${own} is required when subject kind is '${kind}'`);
  else {
    if (!value.name) errors.required(path.child(own, "name"));
    if (own === "serviceAccount" && subject.serviceAccount !== undefined)
      validateAccount(subject.serviceAccount, path.child(own), errors);
  }
  for (const [other, name] of Object.entries(subjectFields)) {
    if (name !== own && subject[name] !== undefined) {
      errors.forbidden(path.child(name), `${name} is forbidden when subject kind is not '${other}'`);
    }
  }
}

function validateAccount({ name, namespace }: NonNullable<Subject["serviceAccount"]>, path: Path, errors: FieldErrors): void {
  if (name && name !== "*") for (const reason of dns1123SubdomainReasons(name)) errors.invalid(path.child("name"), name, reason);
  if (!namespace) errors.required(path.child("namespace"), "must specify namespace for service account");
  else for (const reason of dns1123LabelReasons(namespace)) errors.invalid(path.child("namespace"), namespace, reason);
}

function validateVerbs(given: readonly string[], path: Path, errors: FieldErrors): void {
  if (given.length === 0) errors.required(path, "verbs must contain at least one value");
  else if (given.includes("*")) {
    if (given.length > 1) errors.invalid(path, given, "if '*' is present, must not specify other verbs");
  } else if (!given.every((verb) => verbs.includes(verb))) errors.notSupported(path, given, verbs);
}

function validateNames(given: readonly string[], missing: string, what: string, path: Path, errors: FieldErrors): void {
  if (given.length === 0) errors.required(path, missing);
  else if (given.length > 1 && given.includes("*")) {
    errors.invalid(path, given, `if '*' is present, must not specify other ${what}`);
  }
}

function validateResourceRule(rule: ResourcePolicyRule, path: Path, errors: FieldErrors): void {
  const { apiGroups = [], resources = [], namespaces = [], clusterScope = false } = rule;
  validateVerbs(rule.verbs ?? [], path.child("verbs"), errors);
  validateNames(apiGroups, "resource rules must supply at least one api group", "api groups", path.child("apiGroups"), errors);
  validateNames(resources, "resource rules must supply at least one resource", "resources", path.child("resources"), errors);
  const at = path.child("namespaces");
  if (namespaces.length === 0 && !clusterScope) {
    errors.required(at, "resource rules that are not cluster scoped must supply at least one namespace");
  } else if (namespaces.includes("*")) {
    if (namespaces.length > 1) errors.invalid(at, namespaces, "if '*' is present, must not specify other namespaces");
  } else {
    for (const [index, namespace] of namespaces.entries()) {
      for (const reason of dns1123LabelReasons(namespace)) {
        errors.invalid(at.index(index), namespace, `each member of this list must be '*' or a DNS-1123 label; ${reason}`);
      }
    }
  }
}

function validatePathRule(rule: NonResourcePolicyRule, path: Path, errors: FieldErrors): void {
  const urls = rule.nonResourceURLs ?? [];
  validateVerbs(rule.verbs ?? [], path.child("verbs"), errors);
  const at = path.child("nonResourceURLs");
  validateNames(urls, "nonResourceURLs must contain at least one value", "non-resource URLs", at, errors);
  if (urls.includes("*")) return;
  for (const [index, url] of urls.entries()) {
    const fault = urlFault(url);
    if (fault !== undefined) errors.invalid(at.index(index), url, fault);
  }
}

function urlFault(url: string): string | undefined {
  if (url === "") return "must not be empty";
  if (url === "/") return undefined;
  if (!url.startsWith("/")) return "must start with slash";
  if (url.includes(" ")) return "must not contain white-space";
  if (url.includes("//")) return "must not contain double slash";
  const stars = url.split("*").length - 1;
  return stars > 1 || (stars === 1 && !url.endsWith("/*")) ? "wildcard can only do suffix matching" : undefined;
}
