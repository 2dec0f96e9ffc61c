// agnhost porter: on each port that its environment names, the text that stands there.

import type { Process } from "#sim/program.ts";
import { type Answer, answerText, listen, logLine, type Place, untilSignalled } from "../samples/go-server.ts";
import { sniffedType } from "./answers.ts";
import { command } from "./command.ts";
import { sctpMissing, serveDatagrams } from "./datagrams.ts";
import { goQuoted } from "./go-words.ts";
import { readKeyPair } from "./key-pair.ts";

export const porter = command({
  flags: { "json-response": false },
  *run(self, { flags }) {
    for (const [name, value] of self.env) {
      const [, kind, port = ""] = /^SERVE_(?:(TCP|UDP|TLS|SCTP)_)?PORT_(.*)$/u.exec(name) ?? [];
      if (port === "") continue;
      const answer: Answer = (request, _peer, responder) => {
        // A structure, whose fields keep their order.
        const json = `{"Method":${escaped(request.method)},"Body":${escaped(value)}}`;
        const body = flags["json-response"] ? json : value;
        const type = flags["json-response"] ? "application/json" : sniffedType(value);
        answerText(self, responder, 200, body, { "content-type": type });
      };
      if (kind === "SCTP") logLine(self, `${sctpMissing}: nothing listens on port ${port}`);
      else if (kind === "UDP") serveUdp(self, port, value);
      else if (kind === "TLS") serveTls(self, port, answer);
      else open(self, port, answer, {}, `server on port ${goQuoted(port)} failed`);
    }
    return yield* untilSignalled(self, () => self.pause());
  },
});

function serveUdp(self: Process, port: string, value: string): void {
  const refusal = serveDatagrams(self, Number(port), () => value);
  logLine(self, refusal === undefined ? `Started UDP server on port ${port}` : `UDP: failed to listen on port ${port}: ${refusal}`);
}

/** As JSON of Go. */
function escaped(text: string): string {
  return JSON.stringify(text).replace(/[<>&]/gu, (found) => `\\u00${found.charCodeAt(0).toString(16)}`);
}

function serveTls(self: Process, port: string, answer: Answer): void {
  const [certFile, keyFile] = [self.env.get("CERT_FILE") || "localhost.crt", self.env.get("KEY_FILE") || "localhost.key"];
  const failed = `tls server on port ${goQuoted(port)} with certFile=${goQuoted(certFile)}, keyFile=${goQuoted(keyFile)} failed`;
  const pair = readKeyPair(self, certFile, keyFile);
  if (typeof pair === "string") logLine(self, `${failed}: ${pair}`);
  else open(self, port, answer, { tls: pair }, failed);
}

/** A port that cannot be served is said in the log; the others are. */
function open(self: Process, port: string, answer: Answer, place: Place, failed: string): void {
  if (!/^\d+$/u.test(port) || Number(port) > 65_535) logLine(self, `${failed}: listen tcp: address ${port}: invalid port`);
  else if (!listen(self, Number(port), answer, place))
    logLine(self, `${failed}: listen tcp 0.0.0.0:${port}: bind: address already in use`);
}
