// Requests with `Connection: Upgrade`: refusals are written as plain HTTP, acceptance turns the socket into a byte stream
// of the world.

import { createHash } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Bytes } from "#sim/bytes.ts";
import type { BodyWriter, HttpHeaders, HttpPeer, HttpResponder } from "#sim/http.ts";
import type { ByteStream } from "#sim/net.ts";

/** A client that so much waits for is cut off. */
const backlogLimitBytes = 64 * 1024 * 1024;

type Enter = (action: () => void) => void;

/** `early`: bytes that came with the request's head. */
export function upgraderFor(socket: Duplex, incoming: IncomingMessage, early: Bytes, peer: HttpPeer, enter: Enter): HttpResponder {
  socket.on("error", () => undefined);
  return {
    reply(status, headers, body) {
      socket.write(head(status, { ...headers, "content-length": String(body.length), connection: "close" }));
      socket.end(body);
    },
    stream(status, headers) {
      socket.write(head(status, { ...headers, connection: "close" }));
      const writer: BodyWriter = {
        write: (bytes) => socket.write(bytes),
        end: () => void socket.end(),
        onClose: undefined,
        onDrain: undefined,
      };
      socket.on("close", () => enter(() => writer.onClose?.()));
      return writer;
    },
    upgrade(headers) {
      socket.write(head(101, { ...headers, ...acceptedKey(incoming) }));
      if (early.length > 0) socket.unshift(early);
      return streamOver(socket, peer, enter);
    },
  };
}

function head(status: number, headers: HttpHeaders): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}`, ...lines, "", ""].join("\r\n");
}

/** The proof of RFC 6455 that the server read the client's key; clients inside the world do without it. */
function acceptedKey(incoming: IncomingMessage): HttpHeaders {
  const key = incoming.headers["sec-websocket-key"];
  if (key === undefined) return {};
  const proof = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  return { "sec-websocket-accept": proof };
}

/** One of Node's streams as one of the world's. */
export function streamOver(socket: Duplex, peer: HttpPeer, enter: Enter): ByteStream {
  // Node would make one TLS record of all that waits. A client that reads one message and then asks the socket whether there is more
  // would be told no while the next lies decrypted in its library: each is a record of its own, as from Go's server.
  Object.assign(socket, { _writev: undefined });
  let closed = false;
  const stream: ByteStream = {
    local: peer.local,
    peer: peer.address,
    peerCertificate: peer.certificate,
    write(bytes) {
      if (closed) return false;
      if (socket.writableLength > backlogLimitBytes) {
        socket.destroy();
        return false;
      }
      return socket.write(bytes);
    },
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    onData: undefined,
    onEnd: undefined,
    onDrain: undefined,
    onClose: undefined,
  };
  socket.on("data", (bytes: Buffer) => enter(() => stream.onData?.(new Uint8Array(bytes))));
  socket.on("end", () => enter(() => stream.onEnd?.()));
  socket.on("drain", () => enter(() => stream.onDrain?.()));
  socket.on("close", () => {
    closed = true;
    enter(() => stream.onClose?.(undefined));
  });
  return stream;
}
