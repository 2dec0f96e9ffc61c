// The API server as an HTTP handler: request info, authentication, impersonation, then a resource or another path.
// Whatever is thrown becomes a Status; a fault of ours is a 500 and leaves the world as it was.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { badRequest, otherFailure } from "#cluster/api/errors.ts";
import type { UserInfo } from "#cluster/client/client.ts";
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
    const identify = (info: RequestInfo): UserInfo => {
      const user = identified(server, request, peer, info);
      Object.assign(headers, server.flowControl.headersOf(user, info));
      return user;
    };
    const clientAddress = peer.address.address;
    handle(server, { request, responder, headers, identify, clientAddress, answers: new Map() });
  };
}

/** A request, however often it is tried. */
export interface Arrived {
  readonly request: HttpRequest;
  readonly responder: HttpResponder;
  /** Of the reply. */
  readonly headers: { [name: string]: string };
  readonly clientAddress: string;
  readonly answers: WebhookAnswers;
  /** Who asks. Throws Unauthorized, and Forbidden. */
  identify(info: RequestInfo): UserInfo;
}

export function handle(server: ServedApi, arrived: Arrived): void {
  const { request, responder, headers } = arrived;
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
}

function identified(server: ServedApi, { headers }: HttpRequest, peer: HttpPeer, info: RequestInfo): UserInfo {
  const real = authenticate(headers, peer, server.authenticator);
  const isOther = Object.keys(headers).some((name) => name.startsWith("impersonate-"));
  return isOther ? lateRequests.code.impersonate(real, headers, info, server.authorizer) : real;
}

function serve(server: ServedApi, arrived: Arrived, info: RequestInfo): void {
  const { request, responder, headers, answers, clientAddress } = arrived;
  const user = arrived.identify(info);
  if (request.body.length > maxBodyBytes) {
    throw otherFailure(413, "RequestEntityTooLarge", `Request entity too large: limit is ${maxBodyBytes}`);
  }
  const userAgent = request.headers["user-agent"] ?? "";
  const call: HttpCall = { server, request, responder, info, user, userAgent, headers, clientAddress, answers };
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
