// One SPDY connection, the server's side: streams that the client opens, over whatever carries the bytes.

import type { Bytes } from "#sim/bytes.ts";
import { FrameReader, FrameWriter, maxDataBytes, type SpdyFrame } from "./frames.ts";
import type { SpdyHeaders } from "./headers.ts";

export interface SpdyStream {
  /** `streamtype`, `port`, `requestid` … */
  readonly headers: SpdyHeaders;
  write(bytes: Bytes): void;
  /** No more from this side; once. */
  end(): void;
  onData: ((bytes: Bytes) => void) | undefined;
  /** The client sends no more, or gave the stream up. */
  onEnd: (() => void) | undefined;
}

export interface SpdyTransport {
  write(bytes: Bytes): void;
  close(): void;
}

/** Streams open at once; more are refused. */
const maxStreams = 2000;
const refusedStream = 3;

export class SpdySession {
  readonly #transport: SpdyTransport;
  readonly #onStream: (stream: SpdyStream) => void;
  readonly #reader = new FrameReader();
  readonly #writer = new FrameWriter();
  readonly #streams = new Map<number, OpenStream>();

  constructor(transport: SpdyTransport, onStream: (stream: SpdyStream) => void) {
    this.#transport = transport;
    this.#onStream = onStream;
  }

  /** Bytes from the client. What is no SPDY closes the connection. */
  receive(bytes: Bytes): void {
    let frames: readonly SpdyFrame[];
    try {
      frames = this.#reader.push(bytes);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#transport.close();
      return;
    }
    for (const frame of frames) this.#take(frame);
  }

  /** The client is gone: nothing more will come on any stream. */
  closed(): void {
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of streams) stream.finish();
  }

  #take(frame: SpdyFrame): void {
    switch (frame.type) {
      case "open":
        this.#open(frame.stream, frame.headers, frame.last);
        return;
      case "data": {
        const stream = this.#streams.get(frame.stream);
        if (frame.bytes.length > 0) stream?.onData?.(frame.bytes);
        if (frame.last) stream?.finish();
        return;
      }
      case "reset": {
        const stream = this.#streams.get(frame.stream);
        this.#streams.delete(frame.stream);
        stream?.finish();
        return;
      }
      case "ping":
        this.#transport.write(this.#writer.ping(frame.id));
        return;
      default:
        return;
    }
  }

  #open(id: number, headers: SpdyHeaders, last: boolean): void {
    if (this.#streams.size >= maxStreams) {
      this.#transport.write(this.#writer.reset(id, refusedStream));
      return;
    }
    const stream = new OpenStream(headers, {
      data: (bytes, isLast) => this.#transport.write(this.#writer.data(id, bytes, isLast)),
      over: () => void this.#streams.delete(id),
    });
    this.#streams.set(id, stream);
    this.#transport.write(this.#writer.accepted(id));
    this.#onStream(stream);
    if (last) stream.finish();
  }
}

interface StreamOutput {
  data(bytes: Bytes, last: boolean): void;
  /** Both sides have ended. */
  over(): void;
}

class OpenStream implements SpdyStream {
  readonly headers: SpdyHeaders;
  onData: ((bytes: Bytes) => void) | undefined;
  onEnd: (() => void) | undefined;
  readonly #output: StreamOutput;
  #sentEnd = false;
  #receivedEnd = false;

  constructor(headers: SpdyHeaders, output: StreamOutput) {
    this.headers = headers;
    this.#output = output;
  }

  write(bytes: Bytes): void {
    if (this.#sentEnd) return;
    for (let offset = 0; offset < bytes.length; offset += maxDataBytes) {
      this.#output.data(bytes.subarray(offset, offset + maxDataBytes), false);
    }
  }

  end(): void {
    if (this.#sentEnd) return;
    this.#sentEnd = true;
    this.#output.data(new Uint8Array(0), true);
    if (this.#receivedEnd) this.#output.over();
  }

  finish(): void {
    if (this.#receivedEnd) return;
    this.#receivedEnd = true;
    if (this.#sentEnd) this.#output.over();
    this.onEnd?.();
  }
}
