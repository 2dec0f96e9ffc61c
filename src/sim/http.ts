// HTTP messages as the world passes them around: between programs, to the API server, and (through `src/server`) to
// real clients. Header names are lower case; a header that occurs several times is one text (`joinedHeader`).

import type { Bytes } from "./bytes.ts";
import type { ByteStream, Certificate, Endpoint } from "./net.ts";

export type HttpHeaders = { readonly [name: string]: string };

/**
 * The values of a header that occurs several times as one: with ", " between them (RFC 9110), those of `impersonate-…`,
 * which may have commas in them, with a line feed.
 */
export function joinedHeader(name: string, values: readonly string[]): string {
  return values.join(name.startsWith("impersonate-") ? "\n" : ", ");
}

export interface HttpRequest {
  readonly method: string;
  /** Path and query as sent, `/api/v1/pods?limit=5`. */
  readonly target: string;
  readonly headers: HttpHeaders;
  readonly body: Bytes;
}

/** Who is at the other end of an exchange. */
export interface HttpPeer {
  readonly address: Endpoint;
  readonly local: Endpoint;
  readonly certificate: Certificate | undefined;
  readonly secure: boolean;
}

/**
 * A whole body that becomes bytes when somebody reads them. A reader in the same world who knows its class may take what it tells as it is,
 * and spare both sides the text.
 */
export interface UnwrittenBody {
  write(): Bytes;
}

/** How a handler answers: exactly one of them, now or later in virtual time. */
export interface HttpResponder {
  /** A whole reply. */
  reply(status: number, headers: HttpHeaders, body: Bytes): void;
  /** The same without its length, written out when it is read; only where no wire needs bytes at once. */
  replyUnwritten?(status: number, headers: HttpHeaders, body: UnwrittenBody): void;
  /** A reply whose body follows piece by piece (watch, logs -f). */
  stream(status: number, headers: HttpHeaders): BodyWriter;
  /** 101 Switching Protocols: what follows is a byte stream both ways (WebSocket). */
  upgrade(headers: HttpHeaders): ByteStream;
}

export interface BodyWriter {
  /** False when the client is not keeping up. The bytes are taken anyway. */
  write(bytes: Bytes): boolean;
  end(): void;
  /** The client went away. */
  onClose: (() => void) | undefined;
  onDrain: (() => void) | undefined;
}

export type HttpHandler = (request: HttpRequest, peer: HttpPeer, responder: HttpResponder) => void;

/** A client's view of a reply, in callbacks. */
export interface HttpExchange {
  readonly status: number;
  readonly headers: HttpHeaders;
  /** Present when the whole body came with the head. */
  readonly body: Bytes | undefined;
  /** What `body` is written from when it is read. */
  readonly unwritten?: UnwrittenBody | undefined;
  /** For streamed bodies: data until `onEnd`; set the callbacks in the same callback that delivered the exchange. */
  onData: ((bytes: Bytes) => void) | undefined;
  onEnd: (() => void) | undefined;
  /** Hangs up. */
  abort(): void;
  /** After a 101. */
  readonly upgraded: ByteStream | undefined;
}

/** A program's view of a reply. */
export interface HttpReply {
  readonly status: number;
  readonly headers: HttpHeaders;
  /** What a reader in the same world may take instead of the text. */
  readonly unwritten?: UnwrittenBody | undefined;
  /** A descriptor to read the body from until end of file (after a 101: to read and write the upgraded stream); close it. */
  readonly fd: number;
}
