// The world's replies as Node writes them: whole ones compressed when they are large, streams with a bound on what waits
// for a client that does not read.

import type { ServerResponse } from "node:http";
import { gzip } from "node:zlib";
import type { Bytes } from "#sim/bytes.ts";
import type { BodyWriter, HttpHeaders, HttpResponder } from "#sim/http.ts";
import type { ByteStream } from "#sim/net.ts";

/** Replies of the API from this size on are compressed, quickly (apiserver's defaultGzipThresholdBytes and its level). */
const gzipThresholdBytes = 128 * 1024;
const gzipLevel = 1;

/** A stream that so much waits for is cut off; the client comes back when it can. */
const backlogLimitBytes = 16 * 1024 * 1024;

export interface ReplyOptions {
  /** Runs `action` inside the world, at the virtual time that corresponds to now. */
  readonly enter: (action: () => void) => void;
  readonly acceptsGzip: boolean;
  /** Replies that are under way piece by piece: ended when the server stops. */
  readonly streams: Set<ServerResponse>;
}

export function responderFor(outgoing: ServerResponse, options: ReplyOptions): HttpResponder {
  return {
    reply: (status, headers, body) => reply(outgoing, status, headers, body, options.acceptsGzip),
    stream: (status, headers) => stream(outgoing, status, headers, options),
    upgrade(): ByteStream {
      throw new Error("this request did not ask for an upgrade");
    },
  };
}

function reply(outgoing: ServerResponse, status: number, given: HttpHeaders, body: Bytes, acceptsGzip: boolean): void {
  if (outgoing.destroyed) return;
  const headers = wireHeaders(given);
  if (!acceptsGzip || body.length <= gzipThresholdBytes || headers["content-encoding"] !== undefined) {
    outgoing.writeHead(status, { ...headers, "content-length": body.length });
    outgoing.end(body);
    return;
  }
  gzip(body, { level: gzipLevel }, (error, packed) => {
    if (outgoing.destroyed) return;
    if (error !== null) outgoing.writeHead(status, { ...headers, "content-length": body.length }).end(body);
    else outgoing.writeHead(status, { ...headers, ...gzipHeaders(headers), "content-length": packed.length }).end(packed);
  });
}

/** Go writes headers in UTF-8 (a warning may name any field), Node each character as a byte. */
function wireHeaders(headers: HttpHeaders): HttpHeaders {
  const result: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name] = /^[\x20-\x7e]*$/.test(value) ? value : Buffer.from(value).toString("latin1");
  }
  return result;
}

function gzipHeaders(headers: HttpHeaders): HttpHeaders {
  const { vary } = headers;
  return { "content-encoding": "gzip", vary: vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding` };
}

function stream(outgoing: ServerResponse, status: number, headers: HttpHeaders, options: ReplyOptions): BodyWriter {
  outgoing.writeHead(status, { ...wireHeaders(headers), "transfer-encoding": "chunked" });
  outgoing.flushHeaders();
  const writer: BodyWriter = {
    write(bytes: Bytes): boolean {
      if (outgoing.destroyed || outgoing.writableEnded) return false;
      if (outgoing.writableLength > backlogLimitBytes) {
        outgoing.destroy();
        return false;
      }
      return outgoing.write(bytes);
    },
    end: () => void outgoing.end(),
    onClose: undefined,
    onDrain: undefined,
  };
  options.streams.add(outgoing);
  outgoing.on("close", () => {
    options.streams.delete(outgoing);
    options.enter(() => writer.onClose?.());
  });
  outgoing.on("drain", () => options.enter(() => writer.onDrain?.()));
  return writer;
}
