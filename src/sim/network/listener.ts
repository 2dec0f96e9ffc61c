// What happens when a connection or an HTTP request has found its listener, whichever way it came: TLS verification, then
// a direct exchange between HTTP sides, or HTTP/1.1 text where one side is a byte stream.

import type { Errno } from "../errors.ts";
import type { HttpExchange, HttpPeer, HttpRequest } from "../http.ts";
import type { CallOptions, Certificate, ConnectResult, Endpoint, ListenOptions, TlsClient, TlsFailure, TlsServer } from "../net.ts";
import type { Simulation, Timer } from "../simulation.ts";
import { DirectResponder } from "./exchange.ts";
import { requestOverStream, serveOverStream } from "./http-text.ts";
import { createStreamPair } from "./streams.ts";
import { verifyServer } from "./tls.ts";

export type RequestResult =
  | { readonly ok: true; readonly exchange: HttpExchange }
  | { readonly ok: false; readonly error: Errno | TlsFailure };

/** Text for a TLS client that met a server without TLS, as Go's client words it. */
const notTls: TlsFailure = { tls: "first record does not look like a TLS handshake" };

/** The way that was found from whoever calls to whoever listens. */
export interface Way {
  readonly simulation: Simulation;
  readonly listener: ListenOptions;
  readonly source: Endpoint;
  readonly target: Endpoint;
  /** The wire's, each way. A request has already come when it is sent: the delay counts for its way back. */
  readonly delayMs: number;
}

/** Connects a byte stream. */
export function openConnection(way: Way, tls: TlsClient | undefined, done: (result: ConnectResult) => void): void {
  const { simulation, listener, source, target, delayMs } = way;
  const failure = handshake(simulation, listener, tls);
  if (failure !== undefined) {
    done({ ok: false, error: failure });
    return;
  }
  const secure = tls !== undefined;
  const pair = createStreamPair(simulation, {
    client: source,
    server: target,
    delayMs,
    clientCertificate: tls?.certificate,
    serverCertificate: secure && listener.tls !== undefined ? shownCertificate(listener.tls, tls) : undefined,
  });
  // A client that speaks plainly to a TLS port is hung up on, unless what it speaks may be real TLS.
  if (!secure && listener.tls !== undefined && (simulation.readTls !== undefined || !isAnsweredPlainly(listener, tls))) {
    if (simulation.readTls === undefined) pair.server.destroy();
    else simulation.readTls(pair.server, listener);
  } else if (listener.onStream !== undefined) listener.onStream(pair.server);
  else if (listener.onHttp !== undefined) serveOverStream(pair.server, listener.onHttp, peerOf(source, target, tls));
  done({ ok: true, stream: pair.client });
}

/** Sends one HTTP request. */
export function sendRequest(way: Way, request: HttpRequest, options: CallOptions, done: (result: RequestResult) => void): void {
  const { simulation, listener, delayMs } = way;
  const { onHttp } = listener;
  const limit = options.timeoutMs === undefined ? undefined : new AnswerLimit(simulation, options.timeoutMs, done);
  const answer = limit === undefined ? done : limit.answer;
  const isUnderstood = (options.tls === undefined) === (listener.tls === undefined) || isAnsweredPlainly(listener, options.tls);
  if (onHttp === undefined || !isUnderstood) {
    openConnection(way, options.tls, (result) => {
      if (result.ok) requestOverStream(result.stream, request, answer);
      else answer(result);
    });
  } else {
    const failure = handshake(simulation, listener, options.tls);
    if (failure !== undefined) answer({ ok: false, error: failure });
    else {
      const peer = peerOf(way.source, way.target, options.tls);
      const responder = new DirectResponder(simulation, delayMs, peer, request, (exchange) =>
        answer(exchange === undefined ? { ok: false, error: "ECONNRESET" } : { ok: true, exchange }),
      );
      onHttp(request, peer, responder);
    }
  }
  limit?.begin();
}

/** Turns a reply that comes too late into ETIMEDOUT. */
class AnswerLimit {
  readonly #simulation: Simulation;
  readonly #timeoutMs: number;
  readonly #done: (result: RequestResult) => void;
  #settled = false;
  #timer: Timer | undefined;

  constructor(simulation: Simulation, timeoutMs: number, done: (result: RequestResult) => void) {
    this.#simulation = simulation;
    this.#timeoutMs = timeoutMs;
    this.#done = done;
  }

  /** Once the request is on its way: most handlers have answered by then, and no clock need run. */
  begin(): void {
    if (this.#settled) return;
    this.#timer = this.#simulation.after(this.#timeoutMs, () => this.#settle({ ok: false, error: "ETIMEDOUT" }));
  }

  readonly answer = (result: RequestResult): void => {
    if (!this.#settled) {
      this.#simulation.cancel(this.#timer);
      this.#settle(result);
    } else if (result.ok) result.exchange.abort();
  };

  #settle(result: RequestResult): void {
    this.#settled = true;
    this.#done(result);
  }
}

function handshake(simulation: Simulation, listener: ListenOptions, tls: TlsClient | undefined): TlsFailure | undefined {
  if (tls === undefined) return undefined;
  if (listener.tls === undefined) return notTls;
  return verifyServer(tls, shownCertificate(listener.tls, tls), simulation.nowMs);
}

function shownCertificate(server: TlsServer, { serverName }: TlsClient): Certificate {
  return server.certificateFor?.(serverName) ?? server.certificate;
}

/** The server tells a client in the clear what is wrong. */
function isAnsweredPlainly({ tls: server, onHttp }: ListenOptions, client: TlsClient | undefined): boolean {
  return client === undefined && onHttp !== undefined && server?.answersPlainHttp === true;
}

function peerOf(source: Endpoint, target: Endpoint, tls: TlsClient | undefined): HttpPeer {
  const certificate: Certificate | undefined = tls?.certificate;
  return { address: source, local: target, certificate, secure: tls !== undefined };
}
