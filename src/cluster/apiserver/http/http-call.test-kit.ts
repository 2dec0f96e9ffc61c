// For tests: one HTTP exchange with a server, as values.

import type { JsonValue } from "#cluster/api/objects.ts";
import { type Bytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { HttpHeaders, HttpPeer, HttpResponder } from "#sim/http.ts";
import type { ApiServer } from "../server.ts";

export interface TestReply {
  status: number;
  headers: HttpHeaders;
  text: string;
  /** For streams: what has come so far, a line each. */
  readonly lines: string[];
  ended: boolean;
  close: (() => void) | undefined;
}

export const adminPeer: HttpPeer = peerOf("kubernetes-admin", ["system:masters"]);

export function peerOf(commonName: string, organizations: readonly string[]): HttpPeer {
  return {
    address: { address: "172.18.0.10", port: 40000 },
    local: { address: "172.18.0.2", port: 6443 },
    certificate: {
      commonName,
      organizations,
      alternativeNames: [],
      issuer: "kubernetes",
      notBeforeMs: 0,
      notAfterMs: Number.MAX_SAFE_INTEGER,
    },
    secure: true,
  };
}

export const anonymousPeer: HttpPeer = { ...adminPeer, certificate: undefined };

export function exchange(
  server: ApiServer,
  method: string,
  target: string,
  body?: JsonValue | string,
  headers: HttpHeaders = {},
): TestReply {
  return exchangeAs(adminPeer, server, { method, target, body, headers });
}

interface TestRequest {
  readonly method: string;
  readonly target: string;
  readonly body?: JsonValue | string | undefined;
  readonly headers?: HttpHeaders;
}

export function exchangeAs(peer: HttpPeer, server: ApiServer, { method, target, body, headers = {} }: TestRequest): TestReply {
  const reply: TestReply = { status: 0, headers: {}, text: "", lines: [], ended: false, close: undefined };
  const responder: HttpResponder = {
    reply(status, replyHeaders, bytes) {
      if (reply.status !== 0) throw new Error("answered twice");
      reply.status = status;
      reply.headers = replyHeaders;
      reply.text = decodeUtf8(bytes);
      reply.ended = true;
    },
    stream(status, replyHeaders) {
      reply.status = status;
      reply.headers = replyHeaders;
      const writer = {
        write(bytes: Bytes) {
          reply.text += decodeUtf8(bytes);
          reply.lines.push(...decodeUtf8(bytes).split("\n").slice(0, -1));
          return true;
        },
        end() {
          reply.ended = true;
        },
        onClose: undefined,
        onDrain: undefined,
      };
      reply.close = () => (writer as { onClose: (() => void) | undefined }).onClose?.();
      return writer;
    },
    upgrade() {
      throw new Error("no upgrade in this test");
    },
  };
  const text = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
  server.handler({ method, target, headers, body: encodeUtf8(text) }, peer, responder);
  return reply;
}

export function json(reply: TestReply): { readonly [field: string]: JsonValue } {
  return JSON.parse(reply.text);
}
