// The API server as an HTTP handler: request info, authentication, impersonation, then a resource or another path.
// Whatever is thrown becomes a Status; a fault of ours is a 500 and leaves the world as it was.

import { AnsweredLater, type Wait } from "#cluster/api/answered-later.ts";
import { parseGoDuration } from "#cluster/api/duration.ts";
import { badRequest, otherFailure } from "#cluster/api/errors.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { HttpHandler, HttpHeaders, HttpRequest } from "#sim/http.ts";
import type { WebhookAnswers } from "../admission/dynamic/webhook-answers.ts";
import type { AuditEntry } from "../audit-entry.ts";
import { authenticate } from "../authentication.ts";
import type { Impersonation } from "../impersonation.ts";
import { lateRequests } from "../late-requests.ts";
import { asRefusal } from "../unexpected.ts";
import type { ApiResponder } from "./api-responder.ts";
import type { HttpCall } from "./call.ts";
import { servePath } from "./paths.ts";
import { type RequestInfo, requestInfoOf } from "./request-info.ts";
import type { ServedApi } from "./served-api.ts";
import { replyStatus, replyText, warningHeaders } from "./writing.ts";

/** The largest body of a request that writes. */
const maxBodyBytes = 3 * 1024 * 1024;

export function createHandler(server: ServedApi): HttpHandler {
  return (request, peer, responder) => {
    const headers = commonHeaders(server, request.headers);
    let isNew = true;
    handle(server, {
      request,
      responder,
      headers,
      clientAddress: peer.address.address,
      warnings: [],
      answers: new Map(),
      audit: undefined,
      isHeardOf: false,
      authenticate: () => authenticate(request.headers, peer, server.authenticator),
      identify(real, info) {
        const { user, constraint } = impersonated(server, request, real, info);
        Object.assign(headers, server.flowControl.headersOf(user, info, isNew));
        isNew = false;
        this.audit?.actsAs(user, constraint);
        return user;
      },
    });
  };
}

/** A request, however often it is tried. */
export interface Arrived {
  readonly request: HttpRequest;
  responder: ApiResponder;
  /** Of the reply. */
  readonly headers: { [name: string]: string };
  readonly clientAddress: string;
  readonly answers: WebhookAnswers;
  /** What the client is warned of. */
  readonly warnings: string[];
  /** Where events of it are written. */
  audit: AuditEntry | undefined;
  /** Whether its arrival was told to the audit sink, which may have wanted nothing of it. */
  isHeardOf: boolean;
  /** Who asks. Throws Unauthorized. */
  authenticate(): UserInfo;
  /** As whom, for what comes after it. Throws Forbidden. */
  identify(real: UserInfo, info: RequestInfo): UserInfo;
}

export function handle(server: ServedApi, arrived: Arrived): void {
  const { request, headers } = arrived;
  const arrivedMs = server.simulation.nowMs;
  attempt(1);

  function attempt(number: number): void {
    let info: RequestInfo | undefined;
    arrived.warnings.length = 0;
    try {
      if (!server.running) throw otherFailure(503, "ServiceUnavailable", "the server is currently unable to handle the request");
      info = requestInfoOf(request.method, request.target);
      checkTimeout(info);
      serve(server, arrived, info);
    } catch (error) {
      if (error instanceof AnsweredLater && isWorthWaiting(error.wait, number)) error.wait.begin(() => attempt(number + 1));
      else {
        if (info !== undefined) turnAway(server, arrived, info);
        const warned = { ...headers, ...warningHeaders(arrived.warnings) };
        replyStatus(
          { request, responder: arrived.responder, headers: warned },
          asRefusal(server.simulation, request.target, error),
        );
      }
    }
  }

  function isWorthWaiting({ tries = Number.POSITIVE_INFINITY, forMs = Number.POSITIVE_INFINITY }: Wait, number: number): boolean {
    return number < tries && server.simulation.nowMs - arrivedMs < forMs;
  }
}

function impersonated(server: ServedApi, { headers }: HttpRequest, user: UserInfo, info: RequestInfo): Impersonation {
  const isOther = Object.keys(headers).some((name) => name.startsWith("impersonate-"));
  return isOther ? lateRequests.code.impersonate(user, headers, info, server.authorizer) : { user, constraint: "" };
}

/** The audit sink hears of a request once, however often that is tried. */
function hearOf({ audit }: ServedApi, arrived: Arrived, info: RequestInfo, user: UserInfo): void {
  if (audit.sink === undefined || arrived.isHeardOf) return;
  arrived.isHeardOf = true;
  const audited = audit.sink.arrived(arrived, info, user);
  if (audited === undefined) return;
  arrived.audit = audited.entry;
  arrived.responder = audited.responder;
}

/** Of what is refused before it is known who asks there are events as well. */
function turnAway({ audit }: ServedApi, arrived: Arrived, info: RequestInfo): void {
  if (audit.sink === undefined || arrived.isHeardOf) return;
  arrived.isHeardOf = true;
  arrived.responder = audit.sink.turnedAway(arrived, info);
}

function serve(server: ServedApi, arrived: Arrived, info: RequestInfo): void {
  const real = arrived.authenticate();
  hearOf(server, arrived, info, real);
  const user = arrived.identify(real, info);
  const { request, responder, headers, warnings, answers, clientAddress, audit } = arrived;
  if (request.body.length > maxBodyBytes) {
    throw otherFailure(413, "RequestEntityTooLarge", `Request entity too large: limit is ${maxBodyBytes}`);
  }
  const userAgent = request.headers["user-agent"] ?? "";
  const call: HttpCall = { server, request, responder, info, user, userAgent, headers, clientAddress, warnings, answers, audit };
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
