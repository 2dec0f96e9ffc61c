// SPDY/3.1 frames, as far as clients of Kubernetes use them: streams opened with headers, data, ends, resets, pings.
// Flow control is not part of it: neither client-go nor the kubelet takes part in it.

import { type Bytes, concatBytes, noBytes } from "#sim/bytes.ts";
import { HeaderReader, HeaderWriter, type SpdyHeaders } from "./headers.ts";

export type SpdyFrame =
  | { readonly type: "open"; readonly stream: number; readonly headers: SpdyHeaders; readonly last: boolean }
  | { readonly type: "accepted"; readonly stream: number; readonly headers: SpdyHeaders; readonly last: boolean }
  | { readonly type: "data"; readonly stream: number; readonly bytes: Bytes; readonly last: boolean }
  | { readonly type: "reset"; readonly stream: number; readonly status: number }
  | { readonly type: "ping"; readonly id: number }
  | { readonly type: "leave"; readonly lastStream: number }
  | { readonly type: "other" };

const controlTypes = { open: 1, accepted: 2, reset: 3, ping: 6, leave: 7 } as const;
const finFlag = 1;
const version = 0x8003;
const headBytes = 8;

/** A frame's length has 24 bits. */
export const maxDataBytes = 0xff_ff_ff;

/** Cuts frames out of bytes that come in any pieces. */
export class FrameReader {
  readonly #headers = new HeaderReader();
  #rest: Bytes = noBytes;

  /** Throws RangeError for what is no SPDY. */
  push(bytes: Bytes): readonly SpdyFrame[] {
    this.#rest = this.#rest.length === 0 ? bytes : concatBytes([this.#rest, bytes]);
    const frames: SpdyFrame[] = [];
    while (this.#rest.length >= headBytes) {
      const view = viewOf(this.#rest);
      const length = view.getUint32(4) & maxDataBytes;
      if (this.#rest.length < headBytes + length) break;
      const content = this.#rest.subarray(headBytes, headBytes + length);
      frames.push(this.#frame(view, content));
      this.#rest = this.#rest.slice(headBytes + length);
    }
    return frames;
  }

  #frame(view: DataView, content: Bytes): SpdyFrame {
    const first = view.getUint32(0);
    const last = (view.getUint8(4) & finFlag) !== 0;
    if (first < 0x80_00_00_00) return { type: "data", stream: first, bytes: content, last };
    if (first >>> 16 !== version) throw new RangeError("not SPDY/3");
    const body = viewOf(content);
    const number = (offset: number): number => {
      if (content.length < offset + 4) throw new RangeError("a SPDY frame is too short");
      return body.getUint32(offset) & 0x7f_ff_ff_ff;
    };
    switch (first & 0xffff) {
      case controlTypes.open:
        return { type: "open", stream: number(0), headers: this.#headers.read(content.subarray(10)), last };
      case controlTypes.accepted:
        return { type: "accepted", stream: number(0), headers: this.#headers.read(content.subarray(4)), last };
      case controlTypes.reset:
        return { type: "reset", stream: number(0), status: number(4) };
      case controlTypes.ping:
        return { type: "ping", id: number(0) };
      case controlTypes.leave:
        return { type: "leave", lastStream: number(0) };
      default:
        return { type: "other" };
    }
  }
}

function viewOf(bytes: Bytes): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Writes the frames of one side of a connection. */
export class FrameWriter {
  readonly #headers = new HeaderWriter();

  /** SYN_STREAM without priority. */
  open(stream: number, headers: SpdyHeaders, last = false): Bytes {
    const block = this.#headers.write(headers);
    return control(controlTypes.open, last, concatBytes([words(stream, 0), new Uint8Array(2), block]));
  }

  /** SYN_REPLY */
  accepted(stream: number, headers: SpdyHeaders = {}): Bytes {
    return control(controlTypes.accepted, false, concatBytes([words(stream), this.#headers.write(headers)]));
  }

  data(stream: number, bytes: Bytes, last: boolean): Bytes {
    const frame = new Uint8Array(headBytes + bytes.length);
    const view = viewOf(frame);
    view.setUint32(0, stream);
    view.setUint32(4, bytes.length);
    view.setUint8(4, last ? finFlag : 0);
    frame.set(bytes, headBytes);
    return frame;
  }

  reset(stream: number, status: number): Bytes {
    return control(controlTypes.reset, false, words(stream, status));
  }

  ping(id: number): Bytes {
    return control(controlTypes.ping, false, words(id));
  }

  leave(lastStream: number): Bytes {
    return control(controlTypes.leave, false, words(lastStream, 0));
  }
}

function words(...values: readonly number[]): Bytes {
  const bytes = new Uint8Array(values.length * 4);
  const view = viewOf(bytes);
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value);
  return bytes;
}

function control(type: number, last: boolean, content: Bytes): Bytes {
  const frame = new Uint8Array(headBytes + content.length);
  const view = viewOf(frame);
  view.setUint16(0, version);
  view.setUint16(2, type);
  view.setUint32(4, content.length);
  view.setUint8(4, last ? finFlag : 0);
  frame.set(content, headBytes);
  return frame;
}
