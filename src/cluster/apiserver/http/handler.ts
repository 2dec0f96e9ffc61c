// The API server as an HTTP handler: request info, authentication, impersonation, then a resource or another path.
// Whatever is thrown becomes a Status; a fault of ours is a 500 and leaves the world as it was.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { badRequest, otherFailure } from "#cluster/api/errors.ts";
import type { HttpHandler, HttpHeaders, HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { WebhookAnswers } from "../admission/dynamic/webhook-answers.ts";
import { AnsweredLater, type Wait } from "../answered-later.ts";
import { authenticate } from "../authentication.ts";
import { lateRequests } from "../late-requests.ts";
import { asRefusal } from "../unexpected.ts";
import type { HttpCall } from "./call.ts";
import { servePath } from "./paths.ts";
import { type RequestInfo, requestInfoOf } from "./request-info.ts";
import type { ServedApi } from "./served-api.ts";
import { replyStatus, replyText } from "./writing.ts";

/** The largest body of a request that writes. */
const maxBodyBytes = 3 * 1024 * 1024;

export function createHandler(server: ServedApi): HttpHandler {
  return (request, peer, responder) => {
    const headers = commonHeaders(server, request.headers);
    const arrived: Arrived = { request, peer, responder, headers, answers: new Map() };
    const arrivedMs = server.simulation.nowMs;
    attempt(1);

    function attempt(number: number): void {
      try {
        if (!server.running) throw otherFailure(503, "ServiceUnavailable", "the server is currently unable to handle the request");
        const info = requestInfoOf(request.method, request.target);
        checkTimeout(info);
        serve(server, arrived, info);
      } catch (error) {
        if (error instanceof AnsweredLater && isWorthWaiting(error.wait, number)) error.wait.begin(() => attempt(number + 1));
        else replyStatus({ request, responder, headers }, asRefusal(server.simulation, request.target, error));
      }
    }

    function isWorthWaiting({ tries = Number.POSITIVE_INFINITY, forMs = Number.POSITIVE_INFINITY }: Wait, number: number): boolean {
      return number < tries && server.simulation.nowMs - arrivedMs < forMs;
    }
  };
}

/** A request, however often it is tried. */
interface Arrived {
  readonly request: HttpRequest;
  readonly peer: HttpPeer;
  readonly responder: HttpResponder;
  /** Of the reply. */
  readonly headers: { [name: string]: string };
  readonly answers: WebhookAnswers;
}

function serve(server: ServedApi, { request, peer, responder, headers, answers }: Arrived, info: RequestInfo): void {
  const real = authenticate(request.headers, peer, server.authenticator);
  const isOther = Object.keys(request.headers).some((name) => name.startsWith("impersonate-"));
  const user = isOther ? lateRequests.code.impersonate(real, request.headers, info, server.authorizer) : real;
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
    clientAddress: peer.address.address,
    answers,
  };
  if (info.isResource) {
    lateRequests.code.serveResource(call);
    return;
  }
  server.authorizer.requirePath({ user, verb: info.verb, path: info.path });
  if (!servePath(call)) replyText(responder, 404, "404 page not found\n", headers);
}

/** A client may choose the Audit-Id itself. */
function commonHeaders(server: ServedApi, { "audit-id": chosen }: HttpHeaders): { [name: string]: string } {
  return { "audit-id": chosen || server.nextAuditId(), "cache-control": "no-cache, private" };
}

/** `timeout` bounds requests that wait; none waits here, so only its form matters. Throws 400. */
function checkTimeout({ query, verb }: RequestInfo): void {
  const asked = query.size === 0 ? null : query.get("timeout");
  if (asked === null || asked === "" || verb === "watch") return;
  const parsed = parseGoDuration(asked);
  if ("error" in parsed) throw badRequest(`invalid timeout specified in the request URL - ${parsed.error}`);
}
