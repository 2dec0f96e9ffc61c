// The API server's port: HTTPS with client certificates, or plain HTTP, in front of an HttpHandler of the world.

import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Duplex } from "node:stream";
import type { HttpHandler } from "#sim/http.ts";
import type { Certificate } from "#sim/net.ts";
import type { DoorCertificates } from "./certificates.ts";
import { withOpenApiProtobuf } from "./protobuf/openapi-replies.ts";
import { withProtobuf } from "./protobuf/transcoding.ts";
import { responderFor } from "./replies.ts";
import { acceptsGzip, peerOf, readBody, requestOf } from "./requests.ts";
import { withSpdy } from "./spdy/serve.ts";
import { upgraderFor } from "./upgrades.ts";

export interface DoorOptions {
  readonly handler: HttpHandler;
  /** Runs `action` inside the world, at the virtual time that corresponds to now. */
  readonly enter: (action: () => void) => void;
  /** For HTTPS; without them the port speaks plain HTTP. */
  readonly certificates?: DoorCertificates;
  /** PEM of authorities beside that of `certificates` whose clients count: the cluster's own, which signs requests. */
  readonly clientAuthorities?: readonly string[];
  /** On plain HTTP: whom requests without credentials are made by. */
  readonly administrator?: Certificate;
  /** Otherwise Go's. */
  readonly headTimeoutMs?: number;
}

export interface Door {
  readonly server: Server;
  /** Takes no new requests, ends the streams, calls back when all connections are gone. */
  close(done: () => void): void;
}

/**
 * As Go's server: connections idle for 90 s are closed, heads of at most 1 MiB, in at most 32 s from the beginning of a connection,
 * as long as its handshake may take. A body takes its time, as a request's deadline is the handler's affair.
 */
const limits = {
  keepAliveTimeout: 90_000,
  headersTimeout: 32_000,
  requestTimeout: 60_000,
  maxHeaderSize: 1 << 20,
  connectionsCheckingInterval: 2_000,
} satisfies ServerOptions;
/** What is still open so long after the end is cut off. */
const closingMs = 2000;

/** The server, not yet listening. */
export function openDoor(options: DoorOptions): Door {
  const handler = withProtobuf(withOpenApiProtobuf(withSpdy(options.handler)));
  const { certificates, administrator } = options;
  /** A fault of ours ends the connection that met it, and no other. */
  const enterFor = (socket: Duplex) => (action: () => void) => {
    try {
      options.enter(action);
    } catch (error) {
      console.error("pilothouse: a request failed:", error);
      socket.destroy();
    }
  };
  const streams = new Set<ServerResponse>();
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const enter = enterFor(incoming.socket);
    // Kept alive without saying so, as Go's server does it.
    outgoing.removeHeader("connection");
    readBody(incoming, (body) => {
      const request = requestOf(incoming, body);
      const responder = responderFor(outgoing, { enter, acceptsGzip: acceptsGzip(request.headers), streams });
      enter(() => handler(request, peerOf(incoming, administrator), responder));
    });
    outgoing.on("error", () => undefined);
  };
  const { headTimeoutMs = limits.headersTimeout } = options;
  const serverOptions = {
    ...limits,
    headersTimeout: headTimeoutMs,
    connectionsCheckingInterval: Math.min(limits.connectionsCheckingInterval, headTimeoutMs),
    shouldUpgradeCallback: isKnownUpgrade,
  };
  const server: Server =
    certificates === undefined
      ? createHttpServer(serverOptions, onRequest)
      : createHttpsServer(
          {
            ...serverOptions,
            key: certificates.serving.keyPem,
            cert: certificates.serving.certificatePem,
            ca: [certificates.authorityPem, ...(options.clientAuthorities ?? [])],
            handshakeTimeout: headTimeoutMs,
            requestCert: true,
            rejectUnauthorized: false,
          },
          onRequest,
        );
  const upgraded = new Set<Duplex>();
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, early: Buffer) => {
    upgraded.add(socket);
    socket.on("close", () => upgraded.delete(socket));
    const enter = enterFor(socket);
    const peer = peerOf(incoming, administrator);
    const responder = upgraderFor(socket, incoming, new Uint8Array(early), peer, enter);
    enter(() => handler(requestOf(incoming, new Uint8Array()), peer, responder));
  });
  server.on("clientError", refuseMalformed);
  server.on("tlsClientError", refuseWithoutTls);
  return { server, close: (done) => close(server, { streams, upgraded }, done) };
}

/** Offers of other protocols (h2c) are ignored, as HTTP allows: the request is served as it is. */
function isKnownUpgrade(incoming: IncomingMessage): boolean {
  return /^(websocket|spdy\/3\.1)$/i.test(incoming.headers.upgrade ?? "");
}

/** Who speaks plain HTTP to the port of HTTPS is told so, beside TLS; other failed handshakes end in silence. */
function refuseWithoutTls(error: NodeJS.ErrnoException, socket: Duplex & { readonly _parent?: Duplex }): void {
  // The connection below, which Node keeps there: nothing of TLS has been written on it.
  const connection = socket._parent;
  if (error.code !== "ERR_SSL_HTTP_REQUEST" || connection?.writable !== true) return;
  connection.on("error", () => undefined);
  connection.end("HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
}

/** What is no HTTP gets Go's answer and no more; who is too slow gets none. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || error.code === "ERR_HTTP_REQUEST_TIMEOUT" || !socket.writable) {
    socket.destroy();
    return;
  }
  const isLong = error.code === "HPE_HEADER_OVERFLOW";
  const text = isLong ? "431 Request Header Fields Too Large" : "400 Bad Request";
  socket.end(`HTTP/1.1 ${text}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${text}`);
}

interface OpenEnds {
  readonly streams: ReadonlySet<ServerResponse>;
  readonly upgraded: ReadonlySet<Duplex>;
}

function close(server: Server, { streams, upgraded }: OpenEnds, done: () => void): void {
  server.close(() => done());
  for (const stream of streams) stream.end();
  server.closeIdleConnections();
  const cut = setTimeout(() => {
    server.closeAllConnections();
    for (const socket of upgraded) socket.destroy();
  }, closingMs);
  server.on("close", () => clearTimeout(cut));
}
