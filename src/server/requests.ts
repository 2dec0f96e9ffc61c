// Node's requests as the world takes them, and whom they are made by.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Bytes } from "#sim/bytes.ts";
import { type HttpHeaders, type HttpPeer, type HttpRequest, joinedHeader } from "#sim/http.ts";
import type { Certificate } from "#sim/net.ts";

/** One byte more than the API server takes: what is longer is cut there, and refused by it with 413. */
const keptBodyBytes = 3 * 1024 * 1024 + 1;

/** Calls back once with the whole body; never when the client goes away before its end. */
export function readBody(incoming: IncomingMessage, done: (body: Bytes) => void): void {
  const parts: Buffer[] = [];
  let length = 0;
  incoming.on("data", (part: Buffer) => {
    if (length < keptBodyBytes) parts.push(part);
    length += part.length;
  });
  incoming.on("end", () => {
    const whole = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    done(new Uint8Array(whole.buffer, whole.byteOffset, Math.min(whole.length, keptBodyBytes)));
  });
  incoming.on("error", () => undefined);
}

export function requestOf(incoming: IncomingMessage, body: Bytes): HttpRequest {
  const headers: Record<string, string> = {};
  for (const name in incoming.headers) {
    const value = incoming.headers[name];
    if (name.startsWith("impersonate-")) headers[name] = joinedHeader(name, incoming.headersDistinct[name] ?? []);
    else if (value !== undefined) headers[name] = typeof value === "string" ? value : joinedHeader(name, value);
  }
  return { method: incoming.method ?? "GET", target: originForm(incoming.url ?? "/"), headers, body };
}

/** `http://host/path`, as proxies ask, without the host. */
function originForm(target: string): string {
  return target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/]*/i, "") || "/";
}

/** Without TLS who brings no credentials is the administrator. */
export function peerOf(incoming: IncomingMessage, administrator: Certificate | undefined): HttpPeer {
  const { socket } = incoming;
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  const isSecure = socket instanceof TLSSocket;
  const plain = incoming.headers.authorization === undefined ? administrator : undefined;
  return {
    address: { address: remoteAddress ?? "", port: remotePort ?? 0 },
    local: { address: localAddress ?? "", port: localPort ?? 0 },
    certificate: isSecure ? certificateOf(socket) : plain,
    secure: isSecure,
  };
}

/** Connections are kept alive: each shows its certificate once. */
const known = new WeakMap<Socket, Certificate | "none">();

/** One that the authority of this run has not signed has an issuer that nobody trusts. */
export function certificateOf(socket: TLSSocket): Certificate | undefined {
  const before = known.get(socket);
  if (before !== undefined) return before === "none" ? undefined : before;
  const shown = socket.getPeerCertificate();
  const isShown = shown !== null && typeof shown === "object" && Object.keys(shown).length > 0;
  const certificate: Certificate | undefined = isShown
    ? {
        commonName: namesOf(shown.subject?.CN)[0] ?? "",
        organizations: namesOf(shown.subject?.O),
        alternativeNames: [],
        // A stranger's authority may have the name of ours.
        issuer: socket.authorized ? "kubernetes" : `unknown: ${namesOf(shown.issuer?.CN)[0] ?? ""}`,
        // Node has followed its chain to one of the authorities of this run.
        isSignedBy: () => socket.authorized,
        fingerprint: () => shown.fingerprint256.replaceAll(":", "").toLowerCase(),
        notBeforeMs: Date.parse(shown.valid_from),
        notAfterMs: Date.parse(shown.valid_to),
      }
    : undefined;
  known.set(socket, certificate ?? "none");
  return certificate;
}

/** A name that occurs several times is a list. */
function namesOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}

export function acceptsGzip(headers: HttpHeaders): boolean {
  return /(^|,)\s*gzip\s*(;\s*q=(0\.\d*[1-9]\d*|1(\.0*)?)\s*)?(,|$)/i.test(headers["accept-encoding"] ?? "");
}
