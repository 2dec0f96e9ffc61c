// One HTTP request on its way through the handlers.

import type { UserInfo } from "#cluster/client/client.ts";
import type { HttpHeaders, HttpRequest } from "#sim/http.ts";
import type { WebhookAnswers } from "../admission/dynamic/webhook-answers.ts";
import type { AuditEntry } from "../audit-entry.ts";
import type { ApiResponder } from "./api-responder.ts";
import type { RequestInfo } from "./request-info.ts";
import type { ServedApi } from "./served-api.ts";

export interface HttpCall {
  readonly server: ServedApi;
  readonly request: HttpRequest;
  readonly responder: ApiResponder;
  readonly info: RequestInfo;
  /** After impersonation. */
  readonly user: UserInfo;
  readonly userAgent: string;
  /** Where the request comes from. */
  readonly clientAddress: string;
  /** Headers of every reply. */
  readonly headers: HttpHeaders;
  /** What the client is warned of: of a refused request, too. */
  readonly warnings: string[];
  /** What webhooks have answered so far. */
  readonly answers: WebhookAnswers;
  /** Where events of it are written. */
  readonly audit: AuditEntry | undefined;
}
