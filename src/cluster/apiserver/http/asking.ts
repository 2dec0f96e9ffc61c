// Requests by path from inside the process, for what no typed call reaches: scale subresources of any kind, groups that other servers
// answer for. They go the way of every other request: authorization, admission, aggregation.

import { readJson } from "#cluster/api/json-text.ts";
import { writeCompactJson } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { Answer, Question } from "#cluster/client/client.ts";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import type { HttpResponder } from "#sim/http.ts";
import type { Asker } from "../client.ts";
import { asRefusal } from "../unexpected.ts";
import { servePath } from "./paths.ts";
import { requestInfoOf } from "./request-info.ts";
import { serveResource } from "./resources.ts";
import type { ServedApi } from "./served-api.ts";
import { replyStatus, replyText } from "./writing.ts";

/** As long as the API server gives a request (--request-timeout). */
const timeoutMs = 60_000;

/** Calls `done` once, at once where this server has the answer itself. */
export function ask(
  server: ServedApi,
  { user, userAgent }: Asker,
  { method, target, body }: Question,
  done: (answer: Answer) => void,
): void {
  let isDone = false;
  const finish = (status: number, text: string): void => {
    if (isDone) return;
    isDone = true;
    server.simulation.cancel(timer);
    done({ status, text, body: jsonOf(text) });
  };
  const timer = server.simulation.after(timeoutMs, () => finish(504, ""), { background: true });
  const responder = collecting(finish);
  const headers = { accept: "application/json", "content-type": "application/json", "user-agent": userAgent };
  const request = { method, target, headers, body: body === undefined ? noBytes : encodeUtf8(writeCompactJson(body)) };
  const replyHeaders = { "audit-id": server.nextAuditId() };
  try {
    const info = requestInfoOf(method, target);
    const call = {
      server,
      request,
      responder,
      info,
      user,
      userAgent,
      headers: replyHeaders,
      clientAddress: "::1",
      answers: new Map(),
    };
    if (info.isResource) serveResource(call);
    else {
      server.authorizer.requirePath({ user, verb: info.verb, path: info.path });
      if (!servePath(call)) replyText(responder, 404, "404 page not found\n", replyHeaders);
    }
  } catch (error) {
    replyStatus({ request, responder, headers: replyHeaders }, asRefusal(server.simulation, target, error));
  }
}

function collecting(finish: (status: number, text: string) => void): HttpResponder {
  return {
    reply: (status, _headers, body) => finish(status, decodeUtf8(body)),
    stream: (status) => {
      const parts: Bytes[] = [];
      return {
        write: (bytes) => parts.push(bytes) > 0,
        end: () => finish(status, decodeUtf8(concatBytes(parts))),
        onClose: undefined,
        onDrain: undefined,
      };
    },
    upgrade: () => {
      throw new Error("nobody asks for an upgrade");
    },
  };
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
