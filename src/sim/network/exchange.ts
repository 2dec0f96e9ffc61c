// An HTTP exchange between a client and a handler in the same world, without turning anything into bytes.

import { type Bytes, noBytes } from "../bytes.ts";
import type { BodyWriter, HttpExchange, HttpHandler, HttpHeaders, HttpPeer, HttpRequest, HttpResponder } from "../http.ts";
import type { ByteStream } from "../net.ts";
import type { Simulation } from "../simulation.ts";
import { createStreamPair } from "./streams.ts";

class DirectExchange implements HttpExchange {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: Bytes | undefined;
  readonly upgraded: ByteStream | undefined;
  onData: ((bytes: Bytes) => void) | undefined;
  onEnd: (() => void) | undefined;
  onAbort: (() => void) | undefined;

  constructor(status: number, headers: HttpHeaders, body: Bytes | undefined, upgraded: ByteStream | undefined) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.upgraded = upgraded;
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

/** The handler's side: one answer, given to `done` after `delayMs`. */
class DirectResponder implements HttpResponder {
  readonly #simulation: Simulation;
  readonly #delayMs: number;
  readonly #peer: HttpPeer;
  readonly #request: HttpRequest;
  #done: ((exchange: HttpExchange) => void) | undefined;

  constructor(
    simulation: Simulation,
    delayMs: number,
    peer: HttpPeer,
    request: HttpRequest,
    done: (exchange: HttpExchange) => void,
  ) {
    this.#simulation = simulation;
    this.#delayMs = delayMs;
    this.#peer = peer;
    this.#request = request;
    this.#done = done;
  }

  reply(status: number, headers: HttpHeaders, body: Bytes): void {
    const sent = this.#request.method === "HEAD" ? noBytes : body;
    this.#answer(new DirectExchange(status, withLength(headers, body), sent, undefined));
  }

  stream(status: number, headers: HttpHeaders): BodyWriter {
    const exchange = new DirectExchange(status, headers, undefined, undefined);
    const writer = new DirectWriter(this.#simulation, this.#delayMs, exchange);
    this.#answer(exchange);
    return writer;
  }

  upgrade(headers: HttpHeaders): ByteStream {
    const { client, server } = createStreamPair(this.#simulation, {
      client: this.#peer.address,
      server: this.#peer.local,
      delayMs: this.#delayMs,
    });
    this.#answer(new DirectExchange(101, headers, undefined, client));
    return server;
  }

  #answer(exchange: HttpExchange): void {
    const done = this.#done;
    if (done === undefined) throw new Error("an HTTP handler answered twice");
    this.#done = undefined;
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

/**
 * Hands `request` to `handler` now; `done` gets the head of the reply, at once when the handler answers at once and
 * `delayMs` is 0. The delay counts for the way back; the caller accounts for the way there.
 */
export function exchangeDirectly(
  simulation: Simulation,
  handler: HttpHandler,
  request: HttpRequest,
  peer: HttpPeer,
  delayMs: number,
  done: (exchange: HttpExchange) => void,
): void {
  handler(request, peer, new DirectResponder(simulation, delayMs, peer, request, done));
}
