// The API server as an HTTP handler: request info, authentication, impersonation, then a resource or another path.
// Whatever is thrown becomes a Status; a fault of ours is a 500 and leaves the world as it was.

import { otherFailure } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpHandler, HttpHeaders, HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import { NotAdmittedYet, NotAnsweredYet } from "../admission/chain.ts";
import type { WebhookAnswers } from "../admission/webhook-calls.ts";
import { authenticate } from "../authentication.ts";
import { authorizePath } from "../authorization.ts";
import { impersonate } from "../impersonation.ts";
import type { ApiServer } from "../server.ts";
import type { HttpCall } from "./call.ts";
import { servePath } from "./paths.ts";
import { type RequestInfo, requestInfoOf } from "./request-info.ts";
import { serveResource } from "./resources.ts";
import { jsonText, replyText, statusOf } from "./writing.ts";

/** The largest body of a request that writes. */
const maxBodyBytes = 3 * 1024 * 1024;

/** How often and how soon a request asks again for the default service account of a new namespace. */
const maxAdmissionAttempts = 10;
const admissionRetryMs = 100;

export function createHandler(server: ApiServer): HttpHandler {
  return (request, peer, responder) => {
    const headers = commonHeaders(server);
    const answers: WebhookAnswers = new Map();
    attempt(1);

    function attempt(number: number): void {
      try {
        if (!server.running) throw otherFailure(503, "ServiceUnavailable", "the server is currently unable to handle the request");
        const info = requestInfoOf(request.method, request.target);
        serve(server, request, peer, responder, info, headers, answers);
      } catch (error) {
        if (error instanceof NotAnsweredYet) error.begin(() => attempt(number));
        else if (error instanceof NotAdmittedYet && number < maxAdmissionAttempts) {
          const delayMs = admissionRetryMs + server.random.below(admissionRetryMs);
          server.simulation.after(delayMs, () => attempt(number + 1));
        } else replyStatus(responder, error, headers);
      }
    }
  };
}

function serve(
  server: ApiServer,
  request: HttpRequest,
  peer: HttpPeer,
  responder: HttpResponder,
  info: RequestInfo,
  headers: { [name: string]: string },
  answers: WebhookAnswers,
): void {
  const real = authenticate(request.headers, peer, server.authenticator);
  const user = impersonate(real, request.headers);
  Object.assign(headers, server.flowControl.headersOf(user, info));
  if (request.body.length > maxBodyBytes) {
    throw otherFailure(413, "RequestEntityTooLarge", `Request entity too large: limit is ${maxBodyBytes}`);
  }
  const call: HttpCall = {
    server,
    request,
    responder,
    info,
    user,
    userAgent: request.headers["user-agent"] ?? "",
    headers,
    answers,
  };
  if (info.isResource) {
    serveResource(call);
    return;
  }
  authorizePath(user, info.verb, info.path);
  if (!servePath(call)) replyText(responder, 404, "404 page not found\n", headers);
}

function commonHeaders(server: ApiServer): { [name: string]: string } {
  return { "audit-id": server.nextAuditId(), "cache-control": "no-cache, private" };
}

/** Errors are JSON whatever the client accepts: every client of the API reads it. */
export function replyStatus(responder: HttpResponder, error: unknown, headers: HttpHeaders): void {
  const status = statusOf(error);
  const code = status.code ?? 500;
  const retry = status.details?.retryAfterSeconds;
  const all = { ...headers, ...(retry === undefined ? {} : { "retry-after": String(retry) }), "content-type": "application/json" };
  responder.reply(code, all, encodeUtf8(`${jsonText(status as JsonValue, false)}\n`));
}
