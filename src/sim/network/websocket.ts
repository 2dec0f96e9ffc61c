// WebSocket (RFC 6455) over a byte stream that HTTP handed over with 101: messages both ways, for kubectl exec, attach and
// port-forward and for the API server. No extensions; the handshake's key is not verified (nothing here can be attacked).

import { asciiLowerCase } from "../ascii.ts";
import { type Bytes, concatBytes, encodeUtf8 } from "../bytes.ts";
import type { Errno } from "../errors.ts";
import type { HttpHeaders } from "../http.ts";
import type { ByteStream } from "../net.ts";
import type { Random } from "../random.ts";

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface WebSocketFrame {
  readonly final: boolean;
  readonly opcode: number;
  readonly payload: Bytes;
}

/** Larger messages end the connection with 1009. */
const maximumMessageBytes = 16 * 1024 * 1024;

/** Headers of a client's request for an upgrade. `protocols` in order of preference. */
export function upgradeRequestHeaders(random: Random, protocols: readonly string[]): HttpHeaders {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-key": `${random.text(21, alphabet)}A==`,
    "sec-websocket-version": "13",
    ...(protocols.length === 0 ? {} : { "sec-websocket-protocol": protocols.join(", ") }),
  };
}

export function isUpgradeRequest(headers: HttpHeaders): boolean {
  return (
    asciiLowerCase(headers["upgrade"] ?? "") === "websocket" &&
    asciiLowerCase(headers["connection"] ?? "")
      .split(",")
      .some((token) => token.trim() === "upgrade")
  );
}

/** The first protocol of the client's list that the server knows. */
export function chooseProtocol(headers: HttpHeaders, known: readonly string[]): string | undefined {
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  return offered.find((name) => known.includes(name));
}

/** Headers of the 101 reply; `accept` is the RFC's hash of the key where real clients check it. */
export function upgradeReplyHeaders(protocol: string | undefined, accept?: string): HttpHeaders {
  return {
    connection: "Upgrade",
    upgrade: "websocket",
    ...(accept === undefined ? {} : { "sec-websocket-accept": accept }),
    ...(protocol === undefined ? {} : { "sec-websocket-protocol": protocol }),
  };
}

/** `mask`: four bytes, from clients only. */
export function encodeFrame(opcode: number, payload: Bytes, mask?: Bytes, final = true): Bytes {
  const { length } = payload;
  const extended = extendedBytesFor(length);
  const headLength = 2 + extended + (mask === undefined ? 0 : 4);
  const frame = new Uint8Array(headLength + length);
  frame[0] = (final ? 0x80 : 0) | opcode;
  const maskBit = mask === undefined ? 0 : 0x80;
  const view = new DataView(frame.buffer);
  if (extended === 0) frame[1] = maskBit | length;
  else if (extended === 2) {
    frame[1] = maskBit | 126;
    view.setUint16(2, length);
  } else {
    frame[1] = maskBit | 127;
    view.setBigUint64(2, BigInt(length));
  }
  frame.set(payload, headLength);
  if (mask !== undefined) {
    frame.set(mask, headLength - 4);
    applyMask(frame.subarray(headLength), mask);
  }
  return frame;
}

/** How many bytes a length takes that has no room in the second byte. */
function extendedBytesFor(length: number): number {
  if (length < 126) return 0;
  return length < 65_536 ? 2 : 8;
}

function applyMask(payload: Bytes, mask: Bytes): void {
  for (let index = 0; index < payload.length; index += 1) payload[index] = (payload[index] as number) ^ (mask[index & 3] as number);
}

/** Cuts frames out of bytes that come in any pieces. Pieces are kept as they are until all that is waited for has come. */
export class FrameDecoder {
  #pieces: Bytes[] = [];
  #heldBytes = 0;
  /** Before that many are here there is nothing more to read: the shortest head, then the frame that it announces. */
  #neededBytes = shortestHeadBytes;

  /** Throws RangeError for a frame that is too large. */
  push(bytes: Bytes): readonly WebSocketFrame[] {
    this.#pieces.push(bytes);
    this.#heldBytes += bytes.length;
    const frames: WebSocketFrame[] = [];
    while (this.#heldBytes >= this.#neededBytes) {
      const held = concatBytes(this.#pieces);
      const announced = announcedBytes(held);
      const isWhole = held.length >= announced;
      if (isWhole) frames.push(readFrame(held.subarray(0, announced)));
      const rest = isWhole ? held.subarray(announced) : held;
      this.#pieces = [rest];
      this.#heldBytes = rest.length;
      this.#neededBytes = isWhole ? shortestHeadBytes : announced;
    }
    return frames;
  }
}

const shortestHeadBytes = 2;

function extendedBytes(held: Bytes): number {
  const short = (held[1] as number) & 0x7f;
  if (short === 126) return 2;
  return short === 127 ? 8 : 0;
}

function maskBytes(held: Bytes): number {
  return ((held[1] as number) & 0x80) === 0 ? 0 : 4;
}

/** How long the frame is that begins here, as far as can be told: all of it once its head is here, and the head before. */
function announcedBytes(held: Bytes): number {
  const extended = extendedBytes(held);
  const headLength = shortestHeadBytes + extended + maskBytes(held);
  if (held.length < headLength) return headLength;
  const length = announcedPayloadBytes(held, extended);
  if (length > maximumMessageBytes) throw new RangeError("WebSocket frame too large");
  return headLength + length;
}

function announcedPayloadBytes(held: Bytes, extended: number): number {
  if (extended === 0) return (held[1] as number) & 0x7f;
  const view = new DataView(held.buffer, held.byteOffset, held.byteLength);
  return extended === 2 ? view.getUint16(2) : Number(view.getBigUint64(2));
}

function readFrame(frame: Bytes): WebSocketFrame {
  const headLength = shortestHeadBytes + extendedBytes(frame) + maskBytes(frame);
  const payload = frame.slice(headLength);
  if (maskBytes(frame) > 0) applyMask(payload, frame.subarray(headLength - 4, headLength));
  return { final: ((frame[0] as number) & 0x80) !== 0, opcode: (frame[0] as number) & 0x0f, payload };
}

/** Messages over a stream. A side made with `random` is the client's, whose frames are masked. */
export class WebSocket {
  onMessage: ((payload: Bytes, text: boolean) => void) | undefined;
  /** Once, whoever closed; 1006 when the stream broke. */
  onClose: ((code: number) => void) | undefined;
  onDrain: (() => void) | undefined;
  readonly #stream: ByteStream;
  readonly #random: Random | undefined;
  readonly #decoder = new FrameDecoder();
  #fragments: Bytes[] = [];
  #fragmentBytes = 0;
  #fragmentsAreText = false;
  #closeSent = false;
  #closed = false;

  constructor(stream: ByteStream, random?: Random) {
    this.#stream = stream;
    this.#random = random;
    stream.onData = (bytes) => this.#receive(bytes);
    stream.onEnd = () => this.#finish(1006);
    stream.onClose = (_error: Errno | undefined) => this.#finish(1006);
    stream.onDrain = () => this.onDrain?.();
  }

  /** False: wait for `onDrain`. The message is sent anyway. */
  send(payload: Bytes | string): boolean {
    const text = typeof payload === "string";
    return this.#write(text ? opcodes.text : opcodes.binary, text ? encodeUtf8(payload) : payload);
  }

  close(code = 1000): void {
    if (this.#closeSent || this.#closed) return;
    this.#closeSent = true;
    this.#write(opcodes.close, new Uint8Array([code >> 8, code & 0xff]));
  }

  #write(opcode: number, payload: Bytes): boolean {
    if (this.#closed) return true;
    const random = this.#random;
    if (random === undefined) return this.#stream.write(encodeFrame(opcode, payload));
    const mask = new Uint8Array(4);
    new DataView(mask.buffer).setUint32(0, random.uint32());
    return this.#stream.write(encodeFrame(opcode, payload, mask));
  }

  #receive(bytes: Bytes): void {
    let frames: readonly WebSocketFrame[];
    try {
      frames = this.#decoder.push(bytes);
    } catch {
      this.close(1009);
      this.#finish(1009);
      return;
    }
    for (const frame of frames) if (!this.#closed) this.#take(frame);
  }

  #take(frame: WebSocketFrame): void {
    switch (frame.opcode) {
      case opcodes.text:
      case opcodes.binary:
        this.#fragmentsAreText = frame.opcode === opcodes.text;
        this.#collect(frame);
        return;
      case opcodes.continuation:
        this.#collect(frame);
        return;
      case opcodes.ping:
        this.#write(opcodes.pong, frame.payload);
        return;
      case opcodes.close: {
        const [high = 3, low = 0xed] = frame.payload;
        this.close((high << 8) | low);
        this.#finish((high << 8) | low);
        return;
      }
      default:
        return;
    }
  }

  #collect(frame: WebSocketFrame): void {
    this.#fragments.push(frame.payload);
    this.#fragmentBytes += frame.payload.length;
    if (this.#fragmentBytes > maximumMessageBytes) {
      this.close(1009);
      this.#finish(1009);
      return;
    }
    if (!frame.final) return;
    const message = concatBytes(this.#fragments);
    this.#fragments = [];
    this.#fragmentBytes = 0;
    this.onMessage?.(message, this.#fragmentsAreText);
  }

  #finish(code: number): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stream.end();
    this.onClose?.(code);
  }
}
