// Kinds that are questions about users: who is this, what may they do. Answered from the authenticator and the authorizer,
// never stored (pkg/registry/{authentication,authorization}).

import { badRequest, internalError } from "#cluster/api/errors.ts";
import type {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SubjectAccessReviewStatus,
  TokenReview,
  UserInfo as WireUser,
} from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import { authenticateToken } from "./authentication.ts";
import { noteWrite } from "./field-management.ts";
import { lateRequests } from "./late-requests.ts";
import type { Machinery } from "./machinery.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { defaultAudience, InvalidToken } from "./service-account-tokens.ts";

type Answer = (machinery: Machinery, request: ResourceRequest, review: KubeObject) => KubeObject;

const answers: { readonly [kind: string]: Answer } = {
  TokenReview: reviewToken,
  SelfSubjectReview: (...asked) => lateRequests.code.reviewSelf(...asked),
  SubjectAccessReview: reviewAccess,
  LocalSubjectAccessReview: reviewAccess,
  SelfSubjectAccessReview: reviewAccess,
  SelfSubjectRulesReview: (...asked) => lateRequests.code.reviewRules(...asked),
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

export function wireUser({ name, uid, groups, extra }: UserInfo): WireUser {
  return {
    username: name,
    ...(uid === undefined ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra === undefined || Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

export type AccessReview = KubeObject & (LocalSubjectAccessReview | SelfSubjectAccessReview);

function reviewAccess(machinery: Machinery, request: ResourceRequest, review: KubeObject): KubeObject {
  const { kind } = request.definition;
  const { spec } = review as AccessReview;
  const placed = withNamespaceOf(request, review) as AccessReview;
  const usual = isUsual(kind, placed);
  if (!usual) lateRequests.code.requireValidReview(kind, placed);
  if (kind === "LocalSubjectAccessReview" && (review.metadata.namespace || request.namespace) !== request.namespace) {
    throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${request.namespace}`);
  }
  const user = kind === "SelfSubjectAccessReview" ? request.user : userOf(spec as LocalSubjectAccessReview["spec"]);
  const status = accessStatus(machinery, user, spec);
  return answered(machinery, request, placed, usual ? status : lateRequests.code.withSelectorFaults(status, spec));
}

/** What components ask of each other: nothing can be wrong with it. */
function isUsual(kind: string, { spec, metadata }: AccessReview): boolean {
  const { resourceAttributes, nonResourceAttributes, user } = spec as LocalSubjectAccessReview["spec"];
  const isOne = (resourceAttributes === undefined) !== (nonResourceAttributes === undefined);
  const selects = resourceAttributes?.fieldSelector !== undefined || resourceAttributes?.labelSelector !== undefined;
  return kind === "SubjectAccessReview" && isOne && !selects && Boolean(user) && Object.keys(metadata).length === 0;
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
