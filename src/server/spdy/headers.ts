// Header blocks of SPDY/3: names and values with their lengths, deflated with one stream a direction and a dictionary
// that both sides know. Reading continues the stream by handing zlib the last 32 KiB of what came out; writing stores
// without compressing, which every reader takes.

import { constants, inflateRawSync } from "node:zlib";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { headerDictionary } from "./dictionary.ts";

/** Names in lower case; a header that occurs several times has its values joined by a NUL. */
export type SpdyHeaders = { readonly [name: string]: string };

const windowBytes = 32_768;
const maxBlockBytes = 1 << 20;

/** What stands before the first block: zlib's two bytes and, when they say so, the four that name the dictionary. */
function zlibHeaderBytes(packed: Bytes): number {
  return ((packed[1] ?? 0) & 0x20) === 0 ? 2 : 6;
}

export class HeaderReader {
  #window: Bytes = headerDictionary;
  #begun = false;

  /** Throws RangeError for a block that is none. */
  read(packed: Bytes): SpdyHeaders {
    const start = this.#begun ? 0 : zlibHeaderBytes(packed);
    this.#begun = true;
    let text: Bytes;
    try {
      text = inflateRawSync(packed.subarray(start), {
        dictionary: this.#window,
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: maxBlockBytes,
      });
    } catch (error) {
      throw new RangeError(`a SPDY header block cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#window = new Uint8Array(concatBytes([this.#window, text]).slice(-windowBytes));
    return parse(text);
  }
}

function parse(text: Bytes): SpdyHeaders {
  const view = new DataView(text.buffer, text.byteOffset, text.byteLength);
  const headers: { [name: string]: string } = {};
  let offset = 4;
  const next = (): string => {
    const length = view.getUint32(offset);
    if (offset + 4 + length > text.length) throw new RangeError("a SPDY header block is too short");
    const part = decodeUtf8(text.subarray(offset + 4, offset + 4 + length));
    offset += 4 + length;
    return part;
  };
  for (let count = view.getUint32(0); count > 0; count -= 1) {
    const name = next();
    headers[name] = next();
  }
  return headers;
}

export class HeaderWriter {
  #begun = false;

  write(headers: SpdyHeaders): Bytes {
    const entries = Object.entries(headers);
    const parts = [number(entries.length)];
    for (const [name, value] of entries)
      for (const text of [name, value]) parts.push(number(encodeUtf8(text).length), encodeUtf8(text));
    const head = this.#begun ? noBytes : new Uint8Array([0x78, 0x01]);
    this.#begun = true;
    return concatBytes([head, stored(concatBytes(parts))]);
  }
}

function number(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/**
 * One deflate block without compression (header blocks are far below its 64 KiB), and an empty one behind it: with that
 * Go's reader hands out what it has.
 */
function stored(content: Bytes): Bytes {
  const block = new Uint8Array(5 + content.length + emptyBlock.length);
  const view = new DataView(block.buffer);
  view.setUint16(1, content.length, true);
  view.setUint16(3, ~content.length & 0xffff, true);
  block.set(content, 5);
  block.set(emptyBlock, 5 + content.length);
  return block;
}

const emptyBlock = [0, 0, 0, 0xff, 0xff];
