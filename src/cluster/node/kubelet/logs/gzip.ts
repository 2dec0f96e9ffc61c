// gzip (RFC 1952) of what comes in pieces: each piece a block of DEFLATE (RFC 1951) with the fixed codes and greedy matches
// within the piece. Compresses less than zlib does; any gzip reads it.

import type { Bytes } from "#sim/bytes.ts";

const minimumMatch = 4;
const maximumMatch = 258;
const windowBytes = 32_768;
const hashBits = 14;
const endOfBlock = 256;

/** Lowest length of each length code from 257 on, and the bits that follow it. */
const lengthBases = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBases = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289,
  16385, 24577,
];
const distanceBits = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0xedb88320;
  return value;
});

/** Index of the last base that is not above the value. */
function codeOf(bases: readonly number[], value: number): number {
  let low = 0;
  let high = bases.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((bases[middle] as number) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit += 1) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}

/** The fixed code of a literal or length symbol: bits in the order in which they are sent, and how many. */
function fixedCode(symbol: number): readonly [code: number, length: number] {
  if (symbol < 144) return [reversed(0x30 + symbol, 8), 8];
  if (symbol < 256) return [reversed(0x190 + symbol - 144, 9), 9];
  if (symbol < 280) return [reversed(symbol - 256, 7), 7];
  return [reversed(0xc0 + symbol - 280, 8), 8];
}

const fixedCodes = Array.from({ length: 286 }, (_, symbol) => fixedCode(symbol));

class BitWriter {
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;
  #held = 0;
  #heldBits = 0;

  put(value: number, bits: number): void {
    this.#held |= value << this.#heldBits;
    this.#heldBits += bits;
    while (this.#heldBits >= 8) {
      this.#byte(this.#held & 0xff);
      this.#held >>>= 8;
      this.#heldBits -= 8;
    }
  }

  symbol(symbol: number): void {
    const [code, length] = fixedCodes[symbol] as readonly [number, number];
    this.put(code, length);
  }

  align(): void {
    if (this.#heldBits > 0) this.put(0, 8 - this.#heldBits);
  }

  /** The whole bytes since the last call. */
  take(): Bytes {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const wider = new Uint8Array(2 * this.#length);
      wider.set(this.#bytes);
      this.#bytes = wider;
    }
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }
}

export class GzipWriter {
  readonly #bits = new BitWriter();
  readonly #heads = new Int32Array(1 << hashBits);
  #crc = 0xffffffff;
  #sizeBytes = 0;

  header(): Bytes {
    return Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
  }

  write(piece: Bytes): Bytes {
    this.#check(piece);
    this.#bits.put(0b010, 3);
    this.#heads.fill(-1);
    for (let at = 0; at < piece.length; ) {
      const from = this.#candidate(piece, at);
      const length = from < 0 ? 0 : matchLength(piece, from, at);
      if (length < minimumMatch) {
        this.#bits.symbol(piece[at] as number);
        at += 1;
        continue;
      }
      this.#match(length, at - from);
      at += length;
    }
    this.#bits.symbol(endOfBlock);
    return this.#bits.take();
  }

  end(): Bytes {
    this.#bits.put(0b011, 3);
    this.#bits.symbol(endOfBlock);
    this.#bits.align();
    for (const word of [this.#crc ^ 0xffffffff, this.#sizeBytes])
      for (let shift = 0; shift < 32; shift += 8) this.#bits.put((word >>> shift) & 0xff, 8);
    return this.#bits.take();
  }

  #check(piece: Bytes): void {
    let crc = this.#crc;
    for (const byte of piece) crc = (crcTable[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
    this.#crc = crc;
    this.#sizeBytes += piece.length;
  }

  /** Where the same four bytes stood last, or -1. */
  #candidate(piece: Bytes, at: number): number {
    if (at + minimumMatch > piece.length) return -1;
    const word =
      (piece[at] as number) |
      ((piece[at + 1] as number) << 8) |
      ((piece[at + 2] as number) << 16) |
      ((piece[at + 3] as number) << 24);
    const hash = Math.imul(word, 0x9e3779b1) >>> (32 - hashBits);
    const from = this.#heads[hash] as number;
    this.#heads[hash] = at;
    return from >= 0 && at - from <= windowBytes ? from : -1;
  }

  #match(length: number, distance: number): void {
    const lengthCode = codeOf(lengthBases, length);
    this.#bits.symbol(257 + lengthCode);
    this.#bits.put(length - (lengthBases[lengthCode] as number), lengthBits[lengthCode] as number);
    const distanceCode = codeOf(distanceBases, distance);
    this.#bits.put(reversed(distanceCode, 5), 5);
    this.#bits.put(distance - (distanceBases[distanceCode] as number), distanceBits[distanceCode] as number);
  }
}

function matchLength(piece: Bytes, from: number, at: number): number {
  const most = Math.min(maximumMatch, piece.length - at);
  let length = 0;
  while (length < most && piece[from + length] === piece[at + length]) length += 1;
  return length;
}
