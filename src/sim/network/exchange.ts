// An HTTP exchange between a client and a handler in the same world, without turning anything into bytes.

import { type Bytes, noBytes } from "../bytes.ts";
import type { BodyWriter, HttpExchange, HttpHeaders, HttpPeer, HttpRequest, HttpResponder, UnwrittenBody } from "../http.ts";
import type { ByteStream } from "../net.ts";
import type { Simulation } from "../simulation.ts";
import { createStreamPair } from "./streams.ts";

class DirectExchange implements HttpExchange {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly unwritten: UnwrittenBody | undefined;
  readonly upgraded: ByteStream | undefined;
  #body: Bytes | undefined;
  onData: ((bytes: Bytes) => void) | undefined;
  onEnd: (() => void) | undefined;
  onAbort: (() => void) | undefined;

  constructor(
    status: number,
    headers: HttpHeaders,
    { body, unwritten, upgraded }: { readonly body?: Bytes; readonly unwritten?: UnwrittenBody; readonly upgraded?: ByteStream },
  ) {
    this.status = status;
    this.headers = headers;
    this.unwritten = unwritten;
    this.upgraded = upgraded;
    this.#body = body;
  }

  get body(): Bytes | undefined {
    this.#body ??= this.unwritten?.write();
    return this.#body;
  }

  abort(): void {
    const { onAbort } = this;
    this.onAbort = undefined;
    this.onData = undefined;
    this.onEnd = undefined;
    onAbort?.();
    this.upgraded?.destroy();
  }
}

/** An exchange that may be under way when its server dies. */
export interface OpenExchange {
  /** Nothing more will come of it. */
  readonly isFinished: boolean;
  /** The server is gone: the client gets ECONNRESET, or the end of what it was reading. */
  hangUp(): void;
}

/** The handler's side: one answer, given to `done` after `delayMs`. */
/**
 * `done` gets the head of the reply (undefined: the server died), at once when the handler answers at once and `delayMs` is 0. The delay counts
 * for the way back; the caller accounts for the way there.
 */
export class DirectResponder implements HttpResponder, OpenExchange {
  readonly #simulation: Simulation;
  readonly #delayMs: number;
  readonly #peer: HttpPeer;
  readonly #request: HttpRequest;
  #done: ((exchange: HttpExchange | undefined) => void) | undefined;
  #writer: DirectWriter | undefined;
  #hungUp = false;
  #upgraded: ByteStream | undefined;

  constructor(
    simulation: Simulation,
    delayMs: number,
    peer: HttpPeer,
    request: HttpRequest,
    done: (exchange: HttpExchange | undefined) => void,
  ) {
    this.#simulation = simulation;
    this.#delayMs = delayMs;
    this.#peer = peer;
    this.#request = request;
    this.#done = done;
  }

  get isFinished(): boolean {
    if (this.#done !== undefined || this.#upgraded !== undefined) return false;
    return this.#writer === undefined || this.#writer.isFinished;
  }

  hangUp(): void {
    this.#upgraded?.destroy();
    this.#writer?.end();
    this.#answer(undefined);
  }

  reply(status: number, headers: HttpHeaders, body: Bytes): void {
    const sent = this.#request.method === "HEAD" ? noBytes : body;
    this.#answer(new DirectExchange(status, withLength(headers, body), { body: sent }));
  }

  replyUnwritten(status: number, headers: HttpHeaders, unwritten: UnwrittenBody): void {
    const sent = this.#request.method === "HEAD" ? { body: noBytes } : { unwritten };
    this.#answer(new DirectExchange(status, headers, sent));
  }

  stream(status: number, headers: HttpHeaders): BodyWriter {
    const exchange = new DirectExchange(status, headers, {});
    const writer = new DirectWriter(this.#simulation, this.#delayMs, exchange);
    this.#writer = writer;
    this.#answer(exchange);
    return writer;
  }

  upgrade(headers: HttpHeaders): ByteStream {
    const { client, server } = createStreamPair(this.#simulation, {
      client: this.#peer.address,
      server: this.#peer.local,
      delayMs: this.#delayMs,
    });
    this.#upgraded = server;
    this.#answer(new DirectExchange(101, headers, { upgraded: client }));
    return server;
  }

  #answer(exchange: HttpExchange | undefined): void {
    const done = this.#done;
    if (done === undefined) {
      if (exchange === undefined || this.#hungUp) return;
      throw new Error("an HTTP handler answered twice");
    }
    this.#done = undefined;
    this.#hungUp = exchange === undefined;
    if (this.#delayMs === 0) done(exchange);
    else this.#simulation.after(this.#delayMs, () => done(exchange));
  }
}

/** Pieces written before the client has set its callbacks are kept: delivery is an event of its own. */
class DirectWriter implements BodyWriter {
  onClose: (() => void) | undefined;
  onDrain: (() => void) | undefined;
  readonly #simulation: Simulation;
  readonly #delayMs: number;
  readonly #exchange: DirectExchange;
  #pieces: Bytes[] = [];
  #ended = false;
  #aborted = false;
  #scheduled = false;

  constructor(simulation: Simulation, delayMs: number, exchange: DirectExchange) {
    this.#simulation = simulation;
    this.#delayMs = delayMs;
    this.#exchange = exchange;
    exchange.onAbort = () => {
      this.#aborted = true;
      this.#pieces = [];
      this.onClose?.();
    };
  }

  get isFinished(): boolean {
    return this.#ended || this.#aborted;
  }

  write(bytes: Bytes): boolean {
    if (this.#aborted || this.#ended || bytes.length === 0) return true;
    this.#pieces.push(bytes);
    this.#schedule();
    return true;
  }

  end(): void {
    if (this.#aborted || this.#ended) return;
    this.#ended = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#simulation.after(this.#delayMs, this.#deliver);
  }

  readonly #deliver = (): void => {
    this.#scheduled = false;
    const pieces = this.#pieces;
    this.#pieces = [];
    for (const piece of pieces) if (!this.#aborted) this.#exchange.onData?.(piece);
    if (this.#ended && !this.#aborted && this.#pieces.length === 0) {
      this.#exchange.onAbort = undefined;
      this.#exchange.onEnd?.();
    }
  };
}

function withLength(headers: HttpHeaders, body: Bytes): HttpHeaders {
  return headers["content-length"] === undefined ? { ...headers, "content-length": String(body.length) } : headers;
}
