// Content of a large file, in pages: holes and zeros take nothing, and a page that is the same as the one before it is kept once.

import { type Bytes, noBytes } from "../bytes.ts";
import { areSharedZeros, zeros } from "../process/backing.ts";

export const pageBytes = 65_536;

export class PagedContent {
  sizeBytes = 0;
  /** By index; absent: zeros. Equal neighbours may be the same buffer. */
  readonly #pages = new Map<number, Bytes>();
  /** What the pages really take. */
  backedBytes = 0;

  /** At most `maxBytes`, and never across the end of a page. */
  read(offset: number, maxBytes: number): Bytes {
    const length = Math.min(maxBytes, this.sizeBytes - offset, pageBytes - (offset % pageBytes));
    if (length <= 0) return noBytes;
    const page = this.#pages.get(Math.floor(offset / pageBytes));
    const start = offset % pageBytes;
    return page === undefined ? zeros(length) : page.slice(start, start + length);
  }

  /** All of it in one buffer. */
  joined(): Bytes {
    const all = new Uint8Array(this.sizeBytes);
    for (const [index, page] of this.#pages) {
      const start = index * pageBytes;
      all.set(page.subarray(0, Math.min(pageBytes, this.sizeBytes - start)), start);
    }
    return all;
  }

  write(offset: number, data: Bytes): void {
    const end = offset + data.length;
    this.sizeBytes = Math.max(this.sizeBytes, end);
    for (let at = offset; at < end; ) {
      const index = Math.floor(at / pageBytes);
      const start = at % pageBytes;
      const piece = data.subarray(at - offset, at - offset + pageBytes - start);
      this.#writeInPage(index, start, piece);
      at += piece.length;
    }
  }

  truncate(sizeBytes: number): void {
    const kept = Math.ceil(sizeBytes / pageBytes);
    if (sizeBytes < this.sizeBytes) {
      for (const index of [...this.#pages.keys()]) if (index >= kept) this.#put(index, undefined);
      const rest = sizeBytes % pageBytes;
      if (rest > 0 && this.#pages.has(kept - 1)) this.#ownPage(kept - 1).fill(0, rest);
    }
    this.sizeBytes = sizeBytes;
  }

  #writeInPage(index: number, start: number, piece: Bytes): void {
    const isZeros = areSharedZeros(piece);
    if (isZeros && (piece.length === pageBytes || !this.#pages.has(index))) {
      if (piece.length === pageBytes) this.#put(index, undefined);
      return;
    }
    const page = this.#ownPage(index);
    page.set(piece, start);
    const before = this.#pages.get(index - 1);
    if (start + piece.length === pageBytes && before !== undefined && isSame(page, before)) this.#put(index, before);
  }

  /** A page that nobody shares. */
  #ownPage(index: number): Bytes {
    const page = this.#pages.get(index);
    if (page !== undefined && page !== this.#pages.get(index - 1) && page !== this.#pages.get(index + 1)) return page;
    const own = page === undefined ? new Uint8Array(pageBytes) : page.slice();
    this.#put(index, own);
    return own;
  }

  #put(index: number, page: Bytes | undefined): void {
    this.backedBytes -= this.#costAround(index);
    if (page === undefined) this.#pages.delete(index);
    else this.#pages.set(index, page);
    this.backedBytes += this.#costAround(index);
  }

  /** What a page and the one after it take beside those in front of them. */
  #costAround(index: number): number {
    const [before, page, after] = [-1, 0, 1].map((step) => this.#pages.get(index + step));
    return (page !== undefined && page !== before ? pageBytes : 0) + (after !== undefined && after !== page ? pageBytes : 0);
  }
}

function isSame(a: Bytes, b: Bytes): boolean {
  if (a[0] !== b[0] || a[1] !== b[1]) return false;
  const [left, right] = [
    new Uint32Array(a.buffer, a.byteOffset, a.length / 4),
    new Uint32Array(b.buffer, b.byteOffset, b.length / 4),
  ];
  for (let index = 0; index < left.length; index += 1) if (left[index] !== right[index]) return false;
  return true;
}
