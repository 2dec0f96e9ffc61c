// Bytes that a tool keeps until it has read enough: metered as its memory, in the pieces that they came in.

import { type Bytes, concatBytes } from "#sim/bytes.ts";
import { areSharedZeros } from "#sim/process/backing.ts";
import type { Process } from "#sim/program.ts";

/** What the world keeps of a piece that is shared. */
const handleBytes = 128;

export class HeldBytes {
  readonly #self: Process;
  #pieces: Bytes[] = [];
  #first = 0;
  length = 0;

  constructor(self: Process) {
    this.#self = self;
  }

  /** Keeps a piece; the process may be killed for it. */
  push(piece: Bytes): void {
    this.#self.holdMemory(piece.length, backedBytes(piece));
    this.#pieces.push(piece);
    this.length += piece.length;
  }

  get first(): Bytes | undefined {
    return this.#pieces[this.#first];
  }

  dropFirst(): void {
    const piece = this.#pieces[this.#first];
    if (piece === undefined) return;
    this.#pieces[this.#first] = emptied;
    this.#first += 1;
    if (this.#first > 1024 && this.#first * 2 > this.#pieces.length) {
      this.#pieces = this.#pieces.slice(this.#first);
      this.#first = 0;
    }
    this.length -= piece.length;
    this.#self.holdMemory(-piece.length, -backedBytes(piece));
  }

  /** Pieces in order, from an offset on. */
  *from(offset: number): Generator<Bytes, void, undefined> {
    let skip = offset;
    for (const piece of this.#pieces.slice(this.#first)) {
      if (skip < piece.length) yield skip > 0 ? piece.subarray(skip) : piece;
      skip = Math.max(0, skip - piece.length);
    }
  }

  /** All of it in one; a second copy as long as it is made. It stays held until `release`. */
  joined(): Bytes {
    const pieces = this.#pieces.slice(this.#first);
    this.#self.holdMemory(this.length);
    const all = concatBytes(pieces);
    this.#self.holdMemory(-this.length);
    return all;
  }

  release(): void {
    while (this.first !== undefined) this.dropFirst();
  }
}

const emptied: Bytes = new Uint8Array(0);

function backedBytes(piece: Bytes): number {
  return areSharedZeros(piece) ? handleBytes : piece.length + handleBytes;
}
