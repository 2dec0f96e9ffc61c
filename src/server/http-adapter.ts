// Puts an HttpHandler of the world on a real TCP port. Requests enter the world through `enter`, which brings virtual
// time up to now first; replies leave as they are written. Slow clients are told apart from gone ones: a reply that is
// not read is dropped once more than `backlogLimitBytes` wait for it.

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Bytes } from "#sim/bytes.ts";
import type { BodyWriter, HttpHandler, HttpHeaders, HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { ByteStream, Certificate } from "#sim/net.ts";

export interface AdapterOptions {
  readonly handler: HttpHandler;
  /** Runs `action` inside the world, at the virtual time that corresponds to now. */
  readonly enter: (action: () => void) => void;
  /** Whom requests are made by: on a loopback port without TLS, the cluster's administrator. */
  readonly certificate: Certificate;
}

const requestLimitBytes = 3 * 1024 * 1024;
const backlogLimitBytes = 64 * 1024 * 1024;

/** The server, not yet listening. */
export function createHttpAdapter(options: AdapterOptions): Server {
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    readBody(incoming, (body) => {
      if (body === undefined) {
        outgoing.writeHead(413, { "content-type": "text/plain" }).end("Request Entity Too Large");
        return;
      }
      options.enter(() => options.handler(requestOf(incoming, body), peerOf(incoming, options), responderFor(outgoing, options)));
    });
  });
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex) => {
    options.enter(() =>
      options.handler(requestOf(incoming, new Uint8Array()), peerOf(incoming, options), upgraderFor(socket, incoming, options)),
    );
  });
  return server;
}

function readBody(incoming: IncomingMessage, done: (body: Bytes | undefined) => void): void {
  const parts: Buffer[] = [];
  let length = 0;
  incoming.on("data", (part: Buffer) => {
    length += part.length;
    if (length <= requestLimitBytes) parts.push(part);
  });
  incoming.on("end", () => done(length > requestLimitBytes ? undefined : new Uint8Array(Buffer.concat(parts))));
}

function requestOf(incoming: IncomingMessage, body: Bytes): HttpRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return { method: incoming.method ?? "GET", target: incoming.url ?? "/", headers, body };
}

function peerOf(incoming: IncomingMessage, options: AdapterOptions): HttpPeer {
  const { remoteAddress, remotePort, localAddress, localPort } = incoming.socket;
  return {
    address: { address: remoteAddress ?? "", port: remotePort ?? 0 },
    local: { address: localAddress ?? "", port: localPort ?? 0 },
    certificate: options.certificate,
    secure: true,
  };
}

function responderFor(outgoing: ServerResponse, options: AdapterOptions): HttpResponder {
  return {
    reply(status: number, headers: HttpHeaders, body: Bytes): void {
      outgoing.writeHead(status, { ...headers, "content-length": body.length }).end(body);
    },
    stream(status: number, headers: HttpHeaders): BodyWriter {
      outgoing.writeHead(status, { ...headers, "transfer-encoding": "chunked" });
      outgoing.flushHeaders();
      const writer: BodyWriter = {
        write(bytes: Bytes): boolean {
          if (outgoing.writableLength > backlogLimitBytes) {
            outgoing.destroy();
            return false;
          }
          return outgoing.write(bytes);
        },
        end: () => outgoing.end(),
        onClose: undefined,
        onDrain: undefined,
      };
      outgoing.on("close", () => options.enter(() => writer.onClose?.()));
      outgoing.on("drain", () => options.enter(() => writer.onDrain?.()));
      return writer;
    },
    upgrade(): ByteStream {
      throw new Error("this request did not ask for an upgrade");
    },
  };
}

/** For requests with `Connection: Upgrade`: refusals are written as plain HTTP, acceptance turns into raw bytes. */
function upgraderFor(socket: Duplex, incoming: IncomingMessage, options: AdapterOptions): HttpResponder {
  const head = (status: number, reason: string, headers: HttpHeaders): string =>
    [`HTTP/1.1 ${status} ${reason}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
  return {
    reply(status, headers, body) {
      socket.write(head(status, "Refused", { ...headers, "content-length": String(body.length), connection: "close" }));
      socket.end(body);
    },
    stream(status, headers) {
      socket.write(head(status, "OK", { ...headers, connection: "close" }));
      const writer: BodyWriter = {
        write: (bytes) => socket.write(bytes),
        end: () => socket.end(),
        onClose: undefined,
        onDrain: undefined,
      };
      socket.on("close", () => options.enter(() => writer.onClose?.()));
      return writer;
    },
    upgrade(headers) {
      socket.write(head(101, "Switching Protocols", { ...headers, ...acceptedKey(incoming) }));
      return streamOver(socket, incoming, options);
    },
  };
}

/** The proof of RFC 6455 that the server read the client's key; clients inside the world do without it. */
function acceptedKey(incoming: IncomingMessage): HttpHeaders {
  const key = incoming.headers["sec-websocket-key"];
  if (key === undefined) return {};
  const proof = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  return { "sec-websocket-accept": proof };
}

function streamOver(socket: Duplex, incoming: IncomingMessage, options: AdapterOptions): ByteStream {
  const peer = peerOf(incoming, options);
  let closed = false;
  const stream: ByteStream = {
    local: peer.local,
    peer: peer.address,
    peerCertificate: peer.certificate,
    write: (bytes) => !closed && socket.write(bytes),
    end: () => socket.end(),
    destroy: () => socket.destroy(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    onData: undefined,
    onEnd: undefined,
    onDrain: undefined,
    onClose: undefined,
  };
  socket.on("data", (bytes: Buffer) => options.enter(() => stream.onData?.(new Uint8Array(bytes))));
  socket.on("end", () => options.enter(() => stream.onEnd?.()));
  socket.on("drain", () => options.enter(() => stream.onDrain?.()));
  socket.on("error", () => undefined);
  socket.on("close", () => {
    closed = true;
    options.enter(() => stream.onClose?.(undefined));
  });
  return stream;
}
