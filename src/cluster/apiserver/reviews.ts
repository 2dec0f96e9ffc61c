// Kinds that are questions about users: who is this, what may they do. Answered from the authenticator and the authorizer,
// never stored (pkg/registry/{authentication,authorization}).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { badRequest, internalError, invalid } from "#cluster/api/errors.ts";
import type {
  LocalSubjectAccessReview,
  PolicyRule,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReviewStatus,
  TokenReview,
  UserInfo as WireUser,
} from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import { aggregateText } from "./aggregate-text.ts";
import { authenticateToken } from "./authentication.ts";
import { noteWrite } from "./field-management.ts";
import type { Machinery } from "./machinery.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { defaultAudience, InvalidToken } from "./service-account-tokens.ts";

type Answer = (machinery: Machinery, request: ResourceRequest, review: KubeObject) => KubeObject;

const answers: { readonly [kind: string]: Answer } = {
  TokenReview: reviewToken,
  SelfSubjectReview: ({ simulation }, { user }, { apiVersion, kind }) => ({
    apiVersion,
    kind,
    metadata: { creationTimestamp: formatTime(simulation.nowMs) },
    status: { userInfo: wireUser(user) },
  }),
  SubjectAccessReview: reviewAccess,
  LocalSubjectAccessReview: reviewAccess,
  SelfSubjectAccessReview: reviewAccess,
  SelfSubjectRulesReview: reviewRules,
};

/** Throws Invalid and 400 for questions that are none. */
export function answerReview(machinery: Machinery, request: ResourceRequest, review: KubeObject): KubeObject {
  const answer = answers[request.definition.kind];
  if (answer === undefined) throw internalError(`nobody answers a ${request.definition.kind}`);
  return answer(machinery, request, review);
}

function reviewToken(machinery: Machinery, request: ResourceRequest, review: KubeObject): KubeObject {
  const { token = "", audiences = [] } = (review as TokenReview).spec ?? {};
  if (token === "") throw badRequest("token is required for TokenReview in authentication");
  const wanted = audiences.length === 0 ? [defaultAudience] : audiences;
  const { tokens, store, simulation } = machinery;
  try {
    const verified = authenticateToken(token, wanted, { tokens, store, nowMs: simulation.nowMs });
    const status = { authenticated: true, user: wireUser(verified.user), audiences: verified.audiences };
    return answered(machinery, request, review, status);
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    return answered(machinery, request, review, { user: {}, error: error.message });
  }
}

/** The question with its answer; the asker owns the question's fields. */
function answered(machinery: Machinery, request: ResourceRequest, review: KubeObject, status: object): KubeObject {
  const answer = { ...review, status };
  noteWrite(machinery, request, undefined, review, answer);
  return answer;
}

function wireUser({ name, uid, groups, extra }: UserInfo): WireUser {
  return {
    username: name,
    ...(uid === undefined ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra === undefined || Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

type AccessReview = KubeObject & (LocalSubjectAccessReview | SelfSubjectAccessReview);

function reviewAccess(machinery: Machinery, request: ResourceRequest, review: KubeObject): KubeObject {
  const { kind } = request.definition;
  const { spec } = review as AccessReview;
  requireValid(kind, withNamespaceOf(request, review) as AccessReview);
  if (kind === "LocalSubjectAccessReview" && (review.metadata.namespace || request.namespace) !== request.namespace) {
    throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${request.namespace}`);
  }
  const user = kind === "SelfSubjectAccessReview" ? request.user : userOf(spec as LocalSubjectAccessReview["spec"]);
  return answered(machinery, request, review, accessStatus(machinery, user, spec));
}

/** A local review without a namespace is of the one that it was sent to. */
function withNamespaceOf({ namespace, definition }: ResourceRequest, review: KubeObject): KubeObject {
  if (!definition.namespaced || (review.metadata.namespace ?? "") !== "") return review;
  return { ...review, metadata: { ...review.metadata, namespace } };
}

function userOf({ user = "", uid, groups = [], extra }: LocalSubjectAccessReview["spec"]): UserInfo {
  return { name: user, groups, ...(uid === undefined ? {} : { uid }), ...(extra === undefined ? {} : { extra }) };
}

function accessStatus({ authorizer }: Machinery, user: UserInfo, spec: AccessReview["spec"]): SubjectAccessReviewStatus {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const { allowed, reason } =
    resourceAttributes === undefined
      ? authorizer.decidePath({ user, verb: nonResourceAttributes?.verb ?? "", path: nonResourceAttributes?.path ?? "" })
      : authorizer.decide({
          user,
          verb: resourceAttributes.verb ?? "",
          group: resourceAttributes.group ?? "",
          resource: resourceAttributes.resource ?? "",
          subresource: resourceAttributes.subresource ?? "",
          namespace: resourceAttributes.namespace ?? "",
          name: resourceAttributes.name ?? "",
          fieldSelector: fieldSelectorOf(resourceAttributes),
        });
  return { allowed, ...(reason === "" ? {} : { reason }) };
}

/** Requirements that demand one value; others narrow nothing that an authorizer here looks at. */
function fieldSelectorOf({ fieldSelector }: NonNullable<AccessReview["spec"]["resourceAttributes"]>): string | undefined {
  if (fieldSelector?.rawSelector) return fieldSelector.rawSelector;
  const demands = (fieldSelector?.requirements ?? []).filter(({ operator, values }) => operator === "In" && values?.length === 1);
  return demands.length === 0 ? undefined : demands.map(({ key, values }) => `${key}=${values?.[0]}`).join(",");
}

function requireValid(kind: string, review: AccessReview): void {
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

function reviewRules({ authorizer }: Machinery, { user }: ResourceRequest, review: KubeObject): KubeObject {
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
