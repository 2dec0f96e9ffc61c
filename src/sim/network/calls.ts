// The network calls of processes, over the network stack of their namespace.

import { type Errno, SysError } from "../errors.ts";
import type { HttpExchange, HttpHandler, HttpReply, HttpRequest } from "../http.ts";
import type {
  ByteStream,
  CallOptions,
  CallTarget,
  DnsHandler,
  Endpoint,
  HttpPreface,
  Listening,
  TlsFailure,
  TlsServer,
} from "../net.ts";
import { isCapable } from "../process/capabilities.ts";
import type { KernelProcess } from "../process/process.ts";
import { ProcessEnded, proceed } from "../process/thread.ts";
import { WaitQueue, waitIn } from "../process/wait-queue.ts";
import type { Sys } from "../program.ts";
import type { OpenExchange } from "./exchange.ts";
import { serveOverStream } from "./http-text.ts";
import { BodyFile, ListenFile, maximumBacklog, NetworkFile, ServiceFile, SocketFile } from "./socket.ts";

export { queryDns, resolve } from "./resolver.ts";

/** Verification refused the other side's certificate; the message is what clients print after "tls: " or "x509: ". */
export class TlsError extends Error {
  readonly isSelfSigned: boolean;

  constructor(message: string, isSelfSigned: boolean) {
    super(message);
    this.isSelfSigned = isSelfSigned;
  }
}

function thrown(error: Errno | TlsFailure): Error {
  return typeof error === "string" ? new SysError(error) : new TlsError(error.tls, error.isSelfSigned === true);
}

function callOptions({ tls, timeoutMs, dialMs }: CallTarget): CallOptions {
  return {
    ...(tls === undefined ? {} : { tls }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(dialMs === undefined ? {} : { dialMs }),
  };
}

export function* connect(process: KernelProcess, target: CallTarget): Sys<number> {
  yield proceed;
  const stream = (yield (thread) => {
    let abandoned = false;
    thread.onInterrupt = () => {
      abandoned = true;
    };
    process.network.connect(target, callOptions(target), (result) => {
      if (abandoned) {
        if (result.ok) result.stream.destroy();
      } else if (result.ok) {
        // The file must listen at once: data may follow before the thread runs.
        thread.resume(new SocketFile(result.stream, target));
      } else thread.fail(thrown(result.error));
    });
  }) as SocketFile;
  return process.addFile(stream);
}

export function listen(
  process: KernelProcess,
  options: { readonly port: number; readonly address?: string; readonly tls?: TlsServer },
): number {
  checkPrivilege(process, options.port);
  const file = new ListenFile();
  file.listening = process.network.listen({ ...options, onStream: (stream) => file.offer(stream) });
  return process.addFile(file);
}

/** Throws EACCES where low ports are for the privileged. */
export function checkPrivilege(process: KernelProcess, port: number): void {
  const { unprivilegedFrom } = process.network;
  if (unprivilegedFrom !== undefined && port !== 0 && port < unprivilegedFrom && !isCapable(process, "NET_BIND_SERVICE"))
    throw new SysError("EACCES");
}

export function endWriting(process: KernelProcess, fd: number): void {
  const file = process.table.get(fd);
  if (!(file instanceof SocketFile)) throw new SysError("EBADF");
  file.stream.end();
}

export function* accept(process: KernelProcess, fd: number): Sys<{ readonly fd: number; readonly peer: Endpoint }> {
  const file = process.table.get(fd);
  if (!(file instanceof ListenFile)) throw new SysError("EINVAL");
  yield proceed;
  for (;;) {
    const stream = file.take();
    if (stream !== undefined) return { fd: process.addFile(new SocketFile(stream)), peer: stream.peer };
    yield waitIn(file.readers);
  }
}

type Answered =
  | { readonly head: HttpExchange; readonly body: BodyFile | SocketFile }
  | { readonly head: HttpExchange & { readonly upgraded: ByteStream }; readonly body: SocketFile };

export function* http(process: KernelProcess, request: HttpRequest & CallTarget): Sys<HttpReply> {
  yield proceed;
  const answered = (yield (thread) => {
    let abandoned = false;
    thread.onInterrupt = () => {
      abandoned = true;
    };
    process.network.request(request, request, callOptions(request), (result) => {
      if (!result.ok) {
        if (!abandoned) thread.fail(thrown(result.error));
        return;
      }
      const { exchange } = result;
      if (abandoned) {
        exchange.abort();
        return;
      }
      const body = exchange.upgraded === undefined ? new BodyFile(exchange) : new SocketFile(exchange.upgraded, request);
      thread.resume({ head: exchange, body });
    });
  }) as Answered;
  const { status, headers, unwritten } = answered.head;
  return { status, headers, unwritten, fd: process.addFile(answered.body) };
}

export function serveDns(process: KernelProcess, handler: DnsHandler): number {
  const guarded: DnsHandler = (question, client, answer) => runHandler(process, () => handler(question, client, answer));
  return process.addFile(new ServiceFile(process.network.serveDns(guarded)));
}

interface HttpPlace {
  readonly port: number;
  readonly address?: string;
  readonly tls?: TlsServer;
  readonly preface?: HttpPreface;
}

export function listenHttp(process: KernelProcess, place: HttpPlace): number {
  return process.addFile(new HttpListenFile(process, place));
}

export function answerHttp(process: KernelProcess, fd: number, handler: HttpHandler): void {
  const file = process.table.get(fd);
  if (!(file instanceof HttpListenFile)) throw new SysError("EINVAL");
  file.answerBy(process, fd, handler);
}

export function serveHttp(process: KernelProcess, { handler, ...place }: HttpPlace & { readonly handler: HttpHandler }): number {
  const fd = listenHttp(process, place);
  answerHttp(process, fd, handler);
  return fd;
}

/** A handler that throws ends its process, as any other error of the program does. */
function runHandler(process: KernelProcess, handle: () => void): void {
  try {
    handle();
  } catch (thrown) {
    endBy(process, thrown);
  }
}

function endBy(process: KernelProcess, thrown: unknown): void {
  if (!(thrown instanceof ProcessEnded)) process.failWith(thrown);
}

type HttpCall = Parameters<HttpHandler>;

function hangUp([, , responder]: HttpCall): void {
  if ("hangUp" in responder) (responder as unknown as OpenExchange).hangUp();
}

/** A process that answers what comes to a listening descriptor: knows which exchanges are not finished yet. */
class HttpServer {
  readonly process: KernelProcess;
  handler: HttpHandler;
  readonly #fd: number;
  readonly #file: HttpListenFile;
  #open: OpenExchange[] = [];
  #pruneAt = 16;

  constructor(process: KernelProcess, file: HttpListenFile, fd: number, handler: HttpHandler) {
    this.process = process;
    this.handler = handler;
    this.#file = file;
    this.#fd = fd;
    // A server that only stops listening finishes what it has begun; one that died cannot.
    process.atEnd(() => this.#hangUp());
  }

  get isThere(): boolean {
    const { table, ended } = this.process;
    return !ended && table.has(this.#fd) && table.get(this.#fd) === this.#file;
  }

  /** As `runHandler`, without a closure for each request. */
  answer(request: HttpCall[0], peer: HttpCall[1], responder: HttpCall[2]): void {
    const { process, handler } = this;
    try {
      handler(request, peer, responder);
    } catch (thrown) {
      endBy(process, thrown);
    }
    this.#watch(responder);
    if (process.ended) this.#hangUp();
  }

  #watch(responder: object): void {
    if (!("hangUp" in responder)) return;
    const exchange = responder as OpenExchange;
    if (exchange.isFinished) return;
    this.#open.push(exchange);
    if (this.#open.length < this.#pruneAt) return;
    this.#open = this.#open.filter((other) => !other.isFinished);
    this.#pruneAt = Math.max(16, this.#open.length * 2);
  }

  #hangUp(): void {
    for (const exchange of this.#open) if (!exchange.isFinished) exchange.hangUp();
    this.#open = [];
  }
}

/** Listens for HTTP, and hands requests to the processes that have it and answer. */
class HttpListenFile extends NetworkFile {
  override readonly listening: Listening;
  #servers: HttpServer[] = [];
  /** Came when nobody could answer. */
  #waiting: HttpCall[] = [];

  constructor(process: KernelProcess, place: HttpPlace) {
    super();
    checkPrivilege(process, place.port);
    const onHttp: HttpHandler = (request, peer, responder) => this.#take(request, peer, responder);
    const { preface } = place;
    this.listening = process.network.listen({
      ...place,
      ...(preface === undefined
        ? { onHttp }
        : { onStream: (stream) => preface(stream, (peer) => serveOverStream(stream, onHttp, peer)) }),
    });
  }

  answerBy(process: KernelProcess, fd: number, handler: HttpHandler): void {
    const there = this.#servers.filter(({ isThere }) => isThere);
    const server = there.find((each) => each.process === process) ?? new HttpServer(process, this, fd, handler);
    server.handler = handler;
    this.#servers = there.filter((each) => each !== server).concat(server);
    if (this.#waiting.length > 0) this.#takeWaiting();
  }

  override close(): void {
    this.listening.close();
    for (const call of this.#waiting) hangUp(call);
  }

  #take(request: HttpCall[0], peer: HttpCall[1], responder: HttpCall[2]): void {
    for (const server of this.#servers) {
      if (!server.isThere || server.process.stopped) continue;
      server.answer(request, peer, responder);
      return;
    }
    if (this.#waiting.length >= maximumBacklog) hangUp([request, peer, responder]);
    else {
      this.#waiting.push([request, peer, responder]);
      for (const { process } of this.#servers) {
        process.continued ??= new WaitQueue();
        process.continued.add(() => this.#takeWaiting());
      }
    }
  }

  #takeWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [request, peer, responder] of waiting) this.#take(request, peer, responder);
  }
}
