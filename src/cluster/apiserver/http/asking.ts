// Requests by path from inside the process, for what no typed call reaches: scale subresources of any kind, groups that other servers
// answer for. They go the way of every other request.

import { readJson } from "#cluster/api/json-text.ts";
import { writeCompactJson } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { Answer, Question } from "#cluster/client/client.ts";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import type { HttpResponder } from "#sim/http.ts";
import type { Asker } from "../client.ts";
import { handle } from "./handler.ts";
import type { ServedApi } from "./served-api.ts";

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
  const headers = { accept: "application/json", "content-type": "application/json", "user-agent": userAgent };
  handle(server, {
    request: { method, target, headers, body: body === undefined ? noBytes : encodeUtf8(writeCompactJson(body)) },
    responder: collecting(finish),
    headers: { "audit-id": server.nextAuditId() },
    clientAddress: "::1",
    warnings: [],
    answers: new Map(),
    audit: undefined,
    isHeardOf: false,
    authenticate: () => user,
    identify(real) {
      this.audit?.actsAs(real, "");
      return real;
    },
  });
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
