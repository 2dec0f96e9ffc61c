// HTTP/1.1 over byte streams (RFC 9112): where a byte client meets an HTTP listener, or the reverse. One exchange per
// connection: replies say `connection: close`.

import { asciiUpperCase } from "../ascii.ts";
import { type Bytes, concatBytes, encodeUtf8, noBytes } from "../bytes.ts";
import type { Errno } from "../errors.ts";
import type { BodyWriter, HttpExchange, HttpHandler, HttpHeaders, HttpPeer, HttpRequest, HttpResponder } from "../http.ts";
import type { ByteStream, TlsFailure } from "../net.ts";
import type { OpenExchange } from "./exchange.ts";
import { HttpParser, type MessageHead } from "./http-parser.ts";
import { reasonPhrase } from "./http-status.ts";

/** `content-type` → `Content-Type`. */
export function canonicalHeaderName(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_match, dash: string, letter: string) => dash + asciiUpperCase(letter));
}

function formatHead(firstLine: string, headers: HttpHeaders): Bytes {
  let text = `${firstLine}\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    for (const line of value.split("\n")) text += `${canonicalHeaderName(name)}: ${line}\r\n`;
  }
  return encodeUtf8(`${text}\r\n`);
}

export function formatRequest(request: HttpRequest): Bytes {
  const headers: { [name: string]: string } = { ...request.headers };
  const hasBody = request.body.length > 0 || ["POST", "PUT", "PATCH"].includes(request.method);
  if (hasBody && headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) {
    headers["content-length"] = String(request.body.length);
  }
  return concatBytes([formatHead(`${request.method} ${request.target} HTTP/1.1`, headers), request.body]);
}

export function formatResponseHead(status: number, headers: HttpHeaders): Bytes {
  return formatHead(`HTTP/1.1 ${status} ${reasonPhrase(status) ?? "Unknown"}`, headers);
}

function chunk(bytes: Bytes): Bytes {
  return concatBytes([encodeUtf8(`${bytes.length.toString(16)}\r\n`), bytes, encodeUtf8("\r\n")]);
}

/** Reads one request from the stream and answers it by the handler. */
export function serveOverStream(stream: ByteStream, handler: HttpHandler, peer: HttpPeer): void {
  const body: Bytes[] = [];
  let head: MessageHead | undefined;
  let responder: StreamResponder | undefined;
  const parser = new HttpParser("request", {
    onHead: (parsed) => {
      head = parsed;
    },
    onBody: (bytes) => body.push(bytes),
    onEnd: () => {
      const request = requestOf(head as MessageHead, concatBytes(body.length === 0 ? [noBytes] : body));
      responder = new StreamResponder(stream, request);
      handler(request, peer, responder);
    },
  });
  stream.onData = (bytes) => {
    if (responder !== undefined) return;
    if (!parser.push(bytes)) refuse(stream);
  };
  stream.onEnd = () => {
    if (responder === undefined) stream.end();
  };
  stream.onClose = (error) => {
    if (error !== undefined) responder?.closed();
  };
}

function refuse(stream: ByteStream): void {
  const text = encodeUtf8("400 Bad Request");
  stream.onData = undefined;
  stream.write(formatResponseHead(400, { "content-type": "text/plain; charset=utf-8", connection: "close" }));
  stream.write(text);
  stream.end();
}

function requestOf(head: MessageHead, body: Bytes): HttpRequest {
  return { method: head.first, target: head.second, headers: head.headers, body };
}

class StreamResponder implements HttpResponder, OpenExchange {
  readonly #stream: ByteStream;
  readonly #request: HttpRequest;
  #writer: BodyWriter | undefined;
  #answered = false;
  #isFinished = false;

  constructor(stream: ByteStream, request: HttpRequest) {
    this.#stream = stream;
    this.#request = request;
  }

  closed(): void {
    this.#isFinished = true;
    this.#writer?.onClose?.();
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  hangUp(): void {
    this.#answered = true;
    this.#stream.destroy();
  }

  reply(status: number, headers: HttpHeaders, body: Bytes): void {
    this.#start();
    const length = status === 204 || status === 304 ? {} : { "content-length": String(body.length) };
    this.#stream.write(formatResponseHead(status, { ...headers, ...length, connection: "close" }));
    if (this.#request.method !== "HEAD" && body.length > 0) this.#stream.write(body);
    this.#stream.end();
    this.#isFinished = true;
  }

  stream(status: number, headers: HttpHeaders): BodyWriter {
    this.#start();
    const stream = this.#stream;
    const isChunked = headers["content-length"] === undefined;
    const coding = isChunked ? { "transfer-encoding": "chunked" } : {};
    stream.write(formatResponseHead(status, { ...headers, ...coding, connection: "close" }));
    const writer: BodyWriter = {
      write: (bytes) => bytes.length === 0 || stream.write(isChunked ? chunk(bytes) : bytes),
      end: () => {
        if (isChunked) stream.write(encodeUtf8("0\r\n\r\n"));
        stream.end();
        this.#isFinished = true;
      },
      onClose: undefined,
      onDrain: undefined,
    };
    stream.onDrain = () => writer.onDrain?.();
    this.#writer = writer;
    return writer;
  }

  upgrade(headers: HttpHeaders): ByteStream {
    this.#start();
    const stream = this.#stream;
    stream.write(formatResponseHead(101, headers));
    stream.onData = undefined;
    stream.onEnd = undefined;
    stream.onClose = undefined;
    return stream;
  }

  #start(): void {
    if (this.#answered) throw new Error("an HTTP handler answered twice");
    this.#answered = true;
  }
}

type RequestResult =
  | { readonly ok: true; readonly exchange: HttpExchange }
  | { readonly ok: false; readonly error: Errno | TlsFailure };

/** Sends a request as text; `done` gets the head of the reply. A reply that is not HTTP is ECONNRESET. */
export function requestOverStream(stream: ByteStream, request: HttpRequest, done: (result: RequestResult) => void): void {
  const exchange = new TextExchange(stream, request, done);
  stream.onData = (bytes) => exchange.receive(bytes);
  stream.onEnd = () => exchange.finish();
  stream.onClose = (error) => exchange.finish(error);
  stream.write(
    formatRequest({ ...request, headers: { ...request.headers, connection: request.headers["connection"] ?? "close" } }),
  );
}

class TextExchange implements HttpExchange {
  status = 0;
  headers: HttpHeaders = {};
  readonly body = undefined;
  upgraded: ByteStream | undefined;
  onData: ((bytes: Bytes) => void) | undefined;
  onEnd: (() => void) | undefined;
  readonly #stream: ByteStream;
  readonly #parser: HttpParser;
  #done: ((result: RequestResult) => void) | undefined;
  #ended = false;

  constructor(stream: ByteStream, request: HttpRequest, done: (result: RequestResult) => void) {
    this.#stream = stream;
    this.#done = done;
    this.#parser = new HttpParser("response", {
      bodyless: request.method === "HEAD",
      onHead: (head) => this.#start(head),
      onBody: (bytes) => this.onData?.(bytes),
      onEnd: () => this.#end(),
    });
  }

  receive(bytes: Bytes): void {
    if (!this.#parser.push(bytes)) {
      this.#stream.destroy();
      this.finish("ECONNRESET");
    }
  }

  /** The stream is over. */
  finish(error?: Errno): void {
    if (this.#ended || this.upgraded !== undefined) return;
    if (error === undefined) this.#parser.finish();
    const done = this.#done;
    this.#done = undefined;
    done?.({ ok: false, error: error ?? "ECONNRESET" });
    this.#end();
  }

  abort(): void {
    this.#ended = true;
    this.#stream.destroy();
  }

  #start(head: MessageHead): void {
    const status = Number(head.second);
    if (status === 100) return;
    this.status = status;
    this.headers = head.headers;
    if (status === 101) {
      this.#stream.onData = undefined;
      this.#stream.onEnd = undefined;
      this.#stream.onClose = undefined;
      this.upgraded = this.#stream;
    }
    const done = this.#done;
    this.#done = undefined;
    done?.({ ok: true, exchange: this });
    if (status === 101) {
      const rest = this.#parser.takeRest();
      if (rest.length > 0) this.#stream.onData?.(rest);
    }
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stream.end();
    this.onEnd?.();
  }
}
