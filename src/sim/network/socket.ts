// Descriptors over the network: connected streams, listening sockets, bodies of HTTP replies.

import { type Bytes, noBytes } from "../bytes.ts";
import { type Errno, SysError } from "../errors.ts";
import type { FileStat } from "../files.ts";
import type { HttpExchange } from "../http.ts";
import type { ByteStream, Endpoint, Listening } from "../net.ts";
import { anonymousStat, BaseOpenFile } from "../process/open-file.ts";
import { ByteQueue } from "../process/pipe.ts";
import type { KernelProcess } from "../process/process.ts";
import { WaitQueue } from "../process/wait-queue.ts";

/** Received and not yet read: beyond it the sender is told to wait. */
const receiveBufferBytes = 262_144;
/** Connections that nobody accepted yet; further ones are broken off. */
export const maximumBacklog = 4096;

export abstract class NetworkFile extends BaseOpenFile {
  /** What it keeps listening, if it does. */
  declare readonly listening: Listening | undefined;
  readonly description = "socket:[1]";
  #readers: WaitQueue | undefined;

  override get readers(): WaitQueue {
    this.#readers ??= new WaitQueue();
    return this.#readers;
  }

  override stat(): FileStat {
    return anonymousStat("socket");
  }
}

export class SocketFile extends NetworkFile {
  readonly stream: ByteStream;
  /** Where the process that opened it called; undefined on the side that was called. */
  readonly asked: Endpoint | undefined;
  readonly #received = new ByteQueue();
  readonly #writers = new WaitQueue();
  #ended = false;
  #error: Errno | undefined;
  #closed = false;
  #full = false;
  #paused = false;

  constructor(stream: ByteStream, asked?: Endpoint) {
    super();
    this.stream = stream;
    this.asked = asked;
    stream.onData = (bytes) => {
      this.#received.push(bytes);
      if (this.#received.length >= receiveBufferBytes && !this.#paused) {
        this.#paused = true;
        stream.pause();
      }
      this.readers.wake();
    };
    stream.onEnd = () => {
      this.#ended = true;
      this.readers.wake();
    };
    stream.onDrain = () => {
      this.#full = false;
      this.#writers.wake();
    };
    stream.onClose = (error) => {
      this.#ended = true;
      this.#closed = true;
      this.#error = error;
      this.readers.wake();
      this.#writers.wake();
    };
  }

  override get writers(): WaitQueue {
    return this.#writers;
  }

  get receivedBytes(): number {
    return this.#received.length;
  }

  /** The other side says no more. */
  get ended(): boolean {
    return this.#ended;
  }

  override tryRead(maxBytes: number): Bytes | undefined {
    if (this.#received.length > 0) {
      const bytes = this.#received.take(maxBytes);
      if (this.#paused && this.#received.length < receiveBufferBytes / 2) {
        this.#paused = false;
        this.stream.resume();
      }
      return bytes;
    }
    if (this.#error !== undefined) throw new SysError(this.#error);
    return this.#ended ? noBytes : undefined;
  }

  override tryWrite(data: Bytes, process: KernelProcess): number {
    if (this.#closed) {
      if (this.#error !== undefined) throw new SysError(this.#error);
      process.raise("PIPE");
      throw new SysError("EPIPE");
    }
    if (this.#full) return 0;
    this.#full = !this.stream.write(data);
    return data.length;
  }

  override isReadable(): boolean {
    return this.#received.length > 0 || this.#ended;
  }

  override close(): void {
    this.stream.onData = undefined;
    this.stream.onEnd = undefined;
    this.stream.onDrain = undefined;
    this.stream.onClose = undefined;
    if (this.#paused) this.stream.resume();
    // Unread data makes the kernel answer with a reset, as TCP does.
    if (this.#received.length > 0) this.stream.destroy();
    else this.stream.end();
  }
}

export class ListenFile extends NetworkFile {
  readonly #backlog: ByteStream[] = [];
  override listening: Listening | undefined = undefined;

  /** Connections that nobody has accepted yet. */
  get waiting(): readonly ByteStream[] {
    return this.#backlog;
  }

  offer(stream: ByteStream): void {
    if (this.#backlog.length >= maximumBacklog) {
      stream.destroy();
      return;
    }
    this.#backlog.push(stream);
    this.readers.wake();
  }

  take(): ByteStream | undefined {
    return this.#backlog.shift();
  }

  override isReadable(): boolean {
    return this.#backlog.length > 0;
  }

  override close(): void {
    this.listening?.close();
    for (const stream of this.#backlog) stream.destroy();
  }
}

/** Keeps a service open while the descriptor is. */
export class ServiceFile extends NetworkFile {
  override readonly listening: Listening;

  constructor(listening: Listening) {
    super();
    this.listening = listening;
  }

  override close(): void {
    this.listening.close();
  }
}

/** The body of an HTTP reply, to read. */
export class BodyFile extends NetworkFile {
  readonly #exchange: HttpExchange;
  readonly #received = new ByteQueue();
  #ended = false;
  /** It is written out when it is read. */
  #isUnread = false;

  constructor(exchange: HttpExchange) {
    super();
    this.#exchange = exchange;
    if (exchange.unwritten !== undefined) {
      this.#ended = true;
      this.#isUnread = true;
      return;
    }
    if (exchange.body !== undefined) {
      this.#received.push(exchange.body);
      this.#ended = true;
      return;
    }
    exchange.onData = (bytes) => {
      this.#received.push(bytes);
      this.readers.wake();
    };
    exchange.onEnd = () => {
      this.#ended = true;
      this.readers.wake();
    };
  }

  override tryRead(maxBytes: number): Bytes | undefined {
    if (this.#isUnread) {
      this.#isUnread = false;
      this.#received.push(this.#exchange.body ?? noBytes);
    }
    if (this.#received.length > 0) return this.#received.take(maxBytes);
    return this.#ended ? noBytes : undefined;
  }

  override isReadable(): boolean {
    return this.#received.length > 0 || this.#ended;
  }

  override close(): void {
    this.#exchange.onData = undefined;
    this.#exchange.onEnd = undefined;
    if (!this.#ended) this.#exchange.abort();
  }
}
