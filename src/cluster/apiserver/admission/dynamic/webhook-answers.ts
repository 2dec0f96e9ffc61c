// What webhooks have answered to one request.

import type { JsonValue } from "#cluster/api/objects.ts";

/** An AdmissionReview, or why there is none. */
export type WebhookAnswer =
  | { readonly uid: string; readonly review: { readonly [field: string]: JsonValue } }
  | { readonly failure: string };

/** What webhooks have answered to one request so far. */
export type WebhookAnswers = Map<string, WebhookAnswer>;
