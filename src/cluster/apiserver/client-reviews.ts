// Questions about users that only clients' programs ask: about themselves; and what is wrong with others.

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { badRequest, invalid } from "#cluster/api/errors.ts";
import { parseFieldSelector } from "#cluster/api/fields.ts";
import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  LabelSelectorRequirement,
  LocalSubjectAccessReview,
  PolicyRule,
  SelfSubjectRulesReview,
  SubjectAccessReviewStatus,
} from "#cluster/api/generated/types.ts";
import { parseLabelSelector } from "#cluster/api/labels.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { validateLabelKey, validateLabelValues, validateSetOperator } from "#cluster/resources/core/selector-validation.ts";
import { FieldErrors, field, type Path } from "#cluster/resources/field-errors.ts";
import type { Machinery } from "./machinery.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { type AccessReview, wireUser } from "./reviews.ts";

export function reviewSelf({ simulation }: Machinery, { user }: ResourceRequest, { apiVersion, kind }: KubeObject): KubeObject {
  const metadata = { creationTimestamp: formatTime(simulation.nowMs) };
  return { apiVersion, kind, metadata, status: { userInfo: wireUser(user) } };
}

/** Throws Invalid. */
export function requireValidReview(kind: string, review: AccessReview): void {
  const errors = new FieldErrors();
  const { resourceAttributes, nonResourceAttributes, user, groups } = review.spec as LocalSubjectAccessReview["spec"];
  const spec = field("spec");
  // Told in the words of the API server's internal type.
  const told = { Path: nonResourceAttributes?.path ?? "", Verb: nonResourceAttributes?.verb ?? "" };
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const detail = "cannot be specified in combination with resourceAttributes";
    errors.invalid(spec.child("nonResourceAttributes"), told, detail);
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    errors.invalid(spec.child("resourceAttributes"), undefined, detail);
  }
  if (kind !== "SelfSubjectAccessReview" && !user && (groups?.length ?? 0) === 0) {
    errors.invalid(spec.child("user"), "", "at least one of user or group must be specified");
  }
  for (const name of ["fieldSelector", "labelSelector"] as const) {
    const selector = resourceAttributes?.[name];
    if (selector !== undefined)
      validateSelector(selector, spec.child("resourceAttributes", name), name === "labelSelector", errors);
  }
  const isLocal = kind === "LocalSubjectAccessReview";
  const { managedFields: _fields, namespace, ...metadata } = review.metadata;
  const rest = isLocal || namespace === undefined ? metadata : { ...metadata, namespace };
  if (!semanticDeepEqual(rest, {})) {
    errors.invalid(field("metadata"), review.metadata, isLocal ? "must be empty except for namespace" : "must be empty");
  }
  if (isLocal && resourceAttributes !== undefined && (resourceAttributes.namespace ?? "") !== (namespace ?? "")) {
    const path = spec.child("resourceAttributes", "namespace");
    errors.invalid(path, resourceAttributes.namespace ?? "", "must match metadata.namespace");
  }
  if (isLocal && nonResourceAttributes !== undefined) {
    errors.invalid(spec.child("nonResourceAttributes"), told, "disallowed on this kind of request");
  }
  // Upstream has forgotten the kind by then; its message begins with a dot.
  if (!errors.isEmpty) throw invalid({ group: "authorization.k8s.io", resource: "" }, "", errors.causes);
}

type Selector = FieldSelectorAttributes | LabelSelectorAttributes;

/** Operators that this release does not know may be asked for by newer clients. */
function validateSelector(
  { rawSelector = "", requirements = [] }: Selector,
  path: Path,
  ofLabels: boolean,
  errors: FieldErrors,
): void {
  if (rawSelector !== "" && requirements.length > 0) {
    errors.invalid(path.child("rawSelector"), rawSelector, "may not specified at the same time as requirements");
  }
  if (rawSelector === "" && requirements.length === 0) {
    errors.required(path.child("requirements"), `when ${path} is specified, requirements or rawSelector is required`);
  }
  for (const [index, requirement] of requirements.entries()) {
    const at = path.child("requirements").index(index);
    if (!ofLabels && !requirement.key) errors.required(at.child("key"), "must be specified");
    validateSetOperator(requirement, at, errors);
    if (!ofLabels) continue;
    validateLabelKey(requirement.key ?? "", at.child("key"), errors);
    validateLabelValues(requirement.values, at.child("values"), errors);
  }
}

/** Selectors that an authorizer cannot read are left out, which the answer says (pkg/registry/authorization/util). */
export function withSelectorFaults(
  status: SubjectAccessReviewStatus,
  { resourceAttributes: { fieldSelector, labelSelector } = {} }: AccessReview["spec"],
): SubjectAccessReviewStatus {
  const faults = [
    selectorFault("fieldSelector", fieldSelector, parseFieldSelector, isFieldDemand),
    selectorFault("labelSelector", labelSelector, parseLabelSelector, isLabelDemand),
  ].filter((fault) => fault !== undefined);
  if (faults.length === 0) return status;
  const { evaluationError } = status;
  return { ...status, evaluationError: [...(evaluationError === undefined ? [] : [evaluationError]), ...faults].join("; ") };
}

function selectorFault(
  name: string,
  selector: Selector | undefined,
  parse: (text: string) => unknown,
  isReadable: (requirement: LabelSelectorRequirement) => boolean,
): string | undefined {
  const { rawSelector = "", requirements = [] } = selector ?? {};
  const read = requirements.filter(isReadable).length;
  if (rawSelector === "" ? read === requirements.length : isParsed(rawSelector, parse)) return undefined;
  return `spec.resourceAttributes.${name} ${read > 0 ? "partially " : ""}ignored due to parse error`;
}

function isParsed(text: string, parse: (text: string) => unknown): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Of fields one value can be demanded or excluded. */
function isFieldDemand({ operator, values = [] }: LabelSelectorRequirement): boolean {
  return (operator === "In" || operator === "NotIn") && values.length === 1;
}

function isLabelDemand({ operator }: LabelSelectorRequirement): boolean {
  return ["In", "NotIn", "Exists", "DoesNotExist"].includes(operator);
}

export function reviewRules({ authorizer }: Machinery, { user }: ResourceRequest, review: KubeObject): KubeObject {
  const namespace = (review as KubeObject & SelfSubjectRulesReview).spec?.namespace ?? "";
  if (namespace === "") throw badRequest("no namespace on request");
  const { rules, isIncomplete, errors } = authorizer.rulesFor(user, namespace);
  const isForUrls = ({ nonResourceURLs }: PolicyRule): boolean => (nonResourceURLs?.length ?? 0) > 0;
  return {
    apiVersion: review.apiVersion,
    kind: review.kind,
    metadata: {},
    spec: {},
    status: {
      resourceRules: rules
        .filter((rule) => !isForUrls(rule))
        .map(({ verbs, apiGroups, resources, resourceNames }) => ({
          verbs,
          ...(apiGroups === undefined ? {} : { apiGroups }),
          ...(resources === undefined ? {} : { resources }),
          ...(resourceNames === undefined ? {} : { resourceNames }),
        })),
      nonResourceRules: rules.filter(isForUrls).map(({ verbs, nonResourceURLs = [] }) => ({ verbs, nonResourceURLs })),
      incomplete: isIncomplete,
      ...(errors.length === 0 ? {} : { evaluationError: aggregateText(errors) }),
    },
  };
}
