// Protobuf's wire format: tags, variable-length whole numbers, doubles, and bytes with their length before them.

import { type Int64, int64 } from "#cluster/api/wire.ts";
import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";

/** A field may begin with a byte order mark, which is part of it. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Bytes that are no protobuf message. */
export class WireError extends Error {}

export class WireReader {
  readonly #bytes: Bytes;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  tag(): { readonly number: number; readonly wireType: number } {
    const tag = this.#small();
    const number = Math.floor(tag / 8);
    if (number < 1) throw new WireError("proto: illegal tag 0");
    return { number, wireType: tag % 8 };
  }

  unsigned(): bigint {
    let result = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return result;
    }
    throw new WireError("proto: integer overflow");
  }

  /** The next number, where mostly one byte is enough. */
  #small(): number {
    const first = this.#bytes[this.#offset];
    if (first === undefined || first > 0x7f) return Number(this.unsigned());
    this.#offset += 1;
    return first;
  }

  /** A signed number as int32 and int64 travel: two's complement in 64 bits. */
  signed(): Int64 {
    return int64(BigInt.asIntN(64, this.unsigned()));
  }

  double(): number {
    this.#need(8);
    const value = this.#view.getFloat64(this.#offset, true);
    this.#offset += 8;
    return value;
  }

  bytes(): Bytes {
    const length = this.#small();
    this.#need(length);
    const part = this.#bytes.subarray(this.#offset, this.#offset + length);
    this.#offset += length;
    return part;
  }

  text(): string {
    return decoder.decode(this.bytes());
  }

  skip(wireType: number): void {
    if (wireType === wireTypes.varint) this.unsigned();
    else if (wireType === wireTypes.bytes) this.bytes();
    else if (wireType === wireTypes.fixed64) this.#pass(8);
    else if (wireType === wireTypes.fixed32) this.#pass(4);
    else throw new WireError(`proto: illegal wireType ${wireType}`);
  }

  #pass(length: number): void {
    this.#need(length);
    this.#offset += length;
  }

  #byte(): number {
    this.#need(1);
    return this.#bytes[this.#offset++] as number;
  }

  #need(length: number): void {
    if (!(this.#offset + length <= this.#bytes.length)) throw new WireError("unexpected EOF");
  }
}

/** Of 64 bits. */
const longestVarint = 10;

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) length += 1;
  return length;
}

export class WireWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  finish(): Bytes {
    return this.#bytes.subarray(0, this.#length);
  }

  tag(number: number, wireType: number): void {
    this.#varint(number * 8 + wireType);
  }

  signed(value: Int64): void {
    if (typeof value === "number" && value >= 0 && Number.isSafeInteger(value)) this.#varint(value);
    else this.#wide(BigInt.asUintN(64, BigInt(value)));
  }

  double(value: number): void {
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  bytes(value: Bytes): void {
    this.#varint(value.length);
    this.raw(value);
  }

  text(value: string): void {
    const { length } = value;
    this.#reserve(length + longestVarint);
    const start = this.#length;
    this.#varint(length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) {
        this.#length = start;
        this.bytes(encodeUtf8(value));
        return;
      }
      bytes[at++] = code;
    }
    this.#length = at;
  }

  /** A field whose bytes are what `write` writes here. With `orNothing` it is left out when that is nothing. */
  message(number: number, write: () => void, orNothing = false): void {
    const before = this.#length;
    this.tag(number, wireTypes.bytes);
    this.#reserve(longestVarint);
    // Most messages are short: their length takes one byte.
    const place = this.#length;
    this.#length += 1;
    write();
    const size = this.#length - place - 1;
    if (size === 0 && orNothing) {
      this.#length = before;
      return;
    }
    if (size > 0x7f) {
      const more = varintLength(size) - 1;
      this.#reserve(more);
      this.#bytes.copyWithin(place + 1 + more, place + 1, this.#length);
    }
    this.#length = place;
    this.#varint(size);
    this.#length += size;
  }

  /** Bytes as they are, without their length. */
  raw(value: Bytes): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  #varint(value: number): void {
    this.#reserve(longestVarint);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  #wide(value: bigint): void {
    this.#reserve(longestVarint);
    let rest = value;
    while (rest >= 0x80n) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
