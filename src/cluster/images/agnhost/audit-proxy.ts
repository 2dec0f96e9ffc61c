// agnhost audit-proxy: writes the audit events that it is sent, one a line.

import { decodeUtf8 } from "#sim/bytes.ts";
import { writeWithoutWaiting } from "../log-line.ts";
import { answerText, logLine, serve } from "../samples/go-server.ts";
import { command } from "./command.ts";

interface EventList {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly items?: readonly object[] | null;
}

const apiVersion = "audit.k8s.io/v1";

export const auditProxy = command({
  flags: {},
  run: (self) =>
    serve(self, 8080, (request, _peer, responder) => {
      const list = listOf(decodeUtf8(request.body));
      if (list === undefined) {
        logLine(self, `failed decoding buf: [${request.body.slice(0, 64).join(" ")}], apiVersion: ${apiVersion}`);
        answerText(self, responder, 500, "");
        return;
      }
      for (const event of list.items ?? [])
        writeWithoutWaiting(self, 1, `${JSON.stringify({ kind: "Event", apiVersion, ...event })}\n`);
      answerText(self, responder, 200, "");
    }),
});

function listOf(text: string): EventList | undefined {
  try {
    const list = JSON.parse(text) as EventList;
    return list.kind === "EventList" && list.apiVersion === apiVersion ? list : undefined;
  } catch {
    return undefined;
  }
}
