// Servers beside the API server that leave to it who asks them and whether they may (apiserver's delegated authentication and
// authorization): the questions, without the answers' keeping.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { SubjectAccessReviewSpec } from "#cluster/api/generated/types.ts";
import { tokenReviews } from "#cluster/api/kinds.ts";
import type { Client, UserInfo } from "./client.ts";

/** The token of an `authorization` header. */
export function bearerToken(authorization: string): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(authorization.trim())?.[1];
}

/** Undefined: nobody vouches for the token, or the API server does not answer. */
export function userOfToken(client: Client, token: string): UserInfo | undefined {
  const { authenticated, user } = asked(() => client.create(tokenReviews, { spec: { token } }))?.status ?? {};
  if (authenticated !== true || user === undefined) return undefined;
  const { username = "", uid, groups = [], extra } = user;
  return { name: username, groups, ...(uid === undefined ? {} : { uid }), ...(extra === undefined ? {} : { extra }) };
}

/** Who a SubjectAccessReview is about. */
export type Subject = Omit<SubjectAccessReviewSpec, "resourceAttributes" | "nonResourceAttributes">;

export function subjectOf({ name, groups, uid, extra }: UserInfo): Subject {
  return { user: name, groups, ...(uid === undefined ? {} : { uid }), ...(extra === undefined ? {} : { extra }) };
}

/** Undefined: refused, or the API server does not answer. */
export function asked<T>(question: () => T): T | undefined {
  try {
    return question();
  } catch (error) {
    if (error instanceof ApiError || error instanceof ApiUnreachable) return undefined;
    throw error;
  }
}
