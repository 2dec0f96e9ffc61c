import { constants, createDeflate } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { headerDictionary } from "./dictionary.ts";
import { FrameReader, FrameWriter, type SpdyFrame } from "./frames.ts";
import { HeaderReader, HeaderWriter, type SpdyHeaders } from "./headers.ts";
import { SpdySession } from "./session.ts";

/** Blocks as clients send them: one deflate stream for all, flushed after each. */
async function deflated(blocks: readonly SpdyHeaders[]): Promise<readonly Bytes[]> {
  const deflate = createDeflate({ dictionary: headerDictionary });
  const result: Bytes[] = [];
  let parts: Buffer[] = [];
  deflate.on("data", (part: Buffer) => parts.push(part));
  for (const block of blocks) {
    deflate.write(plain(block));
    await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, () => resolve()));
    result.push(new Uint8Array(Buffer.concat(parts)));
    parts = [];
  }
  return result;
}

function plain(headers: SpdyHeaders): Bytes {
  const number = (value: number): Bytes => new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);
  const texts = Object.entries(headers).flat().map(encodeUtf8);
  return concatBytes([number(texts.length / 2), ...texts.flatMap((text) => [number(text.length), text])]);
}

describe("SPDY", () => {
  it("reads header blocks that go on where the last one ended", async () => {
    const blocks: SpdyHeaders[] = Array.from({ length: 300 }, (_, index) => ({
      streamtype: index % 2 === 0 ? "error" : "data",
      port: "8080",
      requestid: String(index),
      filler: `${index} `.repeat(100),
    }));
    const reader = new HeaderReader();
    expect((await deflated(blocks)).map((packed) => reader.read(packed))).toEqual(blocks);
  });

  it("reads the header blocks it writes", () => {
    const writer = new HeaderWriter();
    const reader = new HeaderReader();
    for (const headers of [{ a: "b" }, {}, { "x-é": "ü", long: "y".repeat(9000) }]) {
      expect(reader.read(writer.write(headers))).toEqual(headers);
    }
  });

  it("refuses what is no header block", () => {
    expect(() => new HeaderReader().read(new Uint8Array([1, 2, 3, 4, 5]))).toThrow(RangeError);
    expect(() => new HeaderReader().read(new Uint8Array())).toThrow(RangeError);
  });

  it("cuts frames out of any pieces", () => {
    const writer = new FrameWriter();
    const bytes = concatBytes([
      writer.open(1, { streamtype: "data" }),
      writer.data(1, encodeUtf8("hello"), false),
      writer.ping(7),
      writer.data(1, new Uint8Array(), true),
      writer.reset(1, 5),
      writer.leave(0),
    ]);
    const expected: SpdyFrame[] = [
      { type: "open", stream: 1, headers: { streamtype: "data" }, last: false },
      { type: "data", stream: 1, bytes: encodeUtf8("hello"), last: false },
      { type: "ping", id: 7 },
      { type: "data", stream: 1, bytes: new Uint8Array(), last: true },
      { type: "reset", stream: 1, status: 5 },
      { type: "leave", lastStream: 0 },
    ];
    for (const size of [1, 3, 7, bytes.length]) {
      const reader = new FrameReader();
      const frames: SpdyFrame[] = [];
      for (let offset = 0; offset < bytes.length; offset += size) frames.push(...reader.push(bytes.slice(offset, offset + size)));
      expect(frames).toEqual(expected);
    }
  });

  it("opens streams, answers pings, closes on what is no SPDY", () => {
    const written: SpdyFrame[] = [];
    const reader = new FrameReader();
    let closed = false;
    const heard: string[] = [];
    const session = new SpdySession(
      {
        write: (bytes) => void written.push(...reader.push(bytes)),
        close: () => {
          closed = true;
        },
      },
      (stream) => {
        stream.onData = (bytes) => heard.push(decodeUtf8(bytes));
        stream.onEnd = () => stream.end();
        stream.write(encodeUtf8("hi"));
      },
    );
    const client = new FrameWriter();
    session.receive(
      concatBytes([
        client.open(1, { streamtype: "data" }),
        client.data(1, encodeUtf8("a"), false),
        client.data(1, encodeUtf8("b"), true),
        client.data(99, encodeUtf8("nobody"), false),
        client.ping(3),
      ]),
    );
    expect(heard).toEqual(["a", "b"]);
    expect(written).toEqual([
      { type: "accepted", stream: 1, headers: {}, last: false },
      { type: "data", stream: 1, bytes: encodeUtf8("hi"), last: false },
      { type: "data", stream: 1, bytes: new Uint8Array(), last: true },
      { type: "ping", id: 3 },
    ]);
    session.receive(new Uint8Array([0x81, 1, 0, 0, 0, 0, 0, 0]));
    expect(closed).toBe(true);
  });
});
