// gzip files, of one member or several (RFC 1952), by fflate's deflate.

import { deflateSync, FlateErrorCode, inflateSync } from "fflate";
import { type Bytes, concatBytes, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";

/** Why bytes cannot be unpacked, as GNU's gzip says it. */
export class GzipError extends Error {
  /** What the members before hold. */
  before: Bytes = noBytes;
}

const headerBytes = 10;

const trailerBytes = 8;

/** deflate's: a longer text than that has lost its end. */
const maximumRatio = 1032;

const maximumBytes = 64 * 1024 ** 2;

const flag = { headerCrc: 2, extra: 4, name: 8, comment: 16 } as const;

const crcTable = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0xedb8_8320;
  return value;
});

function crcOf(bytes: Bytes): number {
  let crc = -1;
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 255] as number);
  return ~crc >>> 0;
}

/** `seconds` of the file's last change, 0 for none. Level 1 to 9. */
export function gzipBytes(self: Process, content: Bytes, name: string, seconds: number, level = 6): Bytes {
  spendOn(self, content.length);
  const head = new Uint8Array(headerBytes);
  head.set([0x1f, 0x8b, 8, name === "" ? 0 : flag.name]);
  const view = new DataView(head.buffer);
  view.setUint32(4, seconds, true);
  if (level === 9) head[8] = 2;
  else head[8] = level === 1 ? 4 : 0;
  head[9] = 3;
  const trailer = new DataView(new ArrayBuffer(trailerBytes));
  trailer.setUint32(0, crcOf(content), true);
  trailer.setUint32(4, content.length, true);
  const packed = deflateSync(content, { level: level as 6 });
  return concatBytes([head, name === "" ? noBytes : encodeUtf8(`${name}\0`), packed, new Uint8Array(trailer.buffer)]);
}

/** Throws GzipError; SysError ENOMEM for more than can be kept. */
export function gunzipBytes(self: Process, packed: Bytes): Bytes {
  const contents: Bytes[] = [];
  for (let rest = packed; rest.length > 0 || contents.length === 0; ) {
    try {
      const { content, end } = firstMember(self, rest);
      contents.push(content);
      rest = rest.subarray(end);
    } catch (error) {
      if (error instanceof GzipError) error.before = concatBytes(contents);
      throw error;
    }
  }
  return contents.length === 1 ? (contents[0] as Bytes) : concatBytes(contents);
}

/** Up to where another one begins, or to the end: nothing but its own end says where a member ends. */
function firstMember(self: Process, packed: Bytes): { readonly content: Bytes; readonly end: number } {
  for (let at = nextHead(packed, headerBytes); at !== -1; at = nextHead(packed, at + 1)) {
    try {
      return { content: memberContent(self, packed.subarray(0, at)), end: at };
    } catch (error) {
      if (!(error instanceof GzipError || error instanceof SysError)) throw error;
    }
  }
  return { content: memberContent(self, packed), end: packed.length };
}

/** Where the next three bytes stand that a member begins with; -1 without any. */
function nextHead(packed: Bytes, from: number): number {
  let at = packed.indexOf(0x1f, from);
  while (at !== -1 && !(packed[at + 1] === 0x8b && packed[at + 2] === 8)) at = packed.indexOf(0x1f, at + 1);
  return at;
}

function memberContent(self: Process, packed: Bytes): Bytes {
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) throw new GzipError("not in gzip format");
  if (packed[2] !== 8) throw new GzipError(`unknown method ${packed[2]} -- not supported`);
  const flags = packed[3] as number;
  let at = headerBytes;
  if ((flags & flag.extra) !== 0) at += 2 + (packed[at] as number) + 256 * (packed[at + 1] as number);
  for (const each of [flag.name, flag.comment]) if ((flags & each) !== 0) at = packed.indexOf(0, at) + 1;
  if ((flags & flag.headerCrc) !== 0) at += 2;
  if (packed.length < at + trailerBytes) throw new GzipError("unexpected end of file");
  const trailer = new DataView(packed.buffer, packed.byteOffset + packed.length - trailerBytes, trailerBytes);
  const sizeBytes = trailer.getUint32(4, true);
  if (sizeBytes > maximumRatio * packed.length) throw new GzipError("unexpected end of file");
  if (sizeBytes > maximumBytes) throw new SysError("ENOMEM");
  self.holdMemory(sizeBytes);
  spendOn(self, sizeBytes);
  try {
    const content = inflateSync(packed.subarray(at, -trailerBytes), { out: new Uint8Array(sizeBytes) });
    if (content.length !== sizeBytes) throw new GzipError("invalid compressed data--length error");
    if (crcOf(content) !== trailer.getUint32(0, true)) throw new GzipError("invalid compressed data--crc error");
    return content;
  } catch (error) {
    if (error instanceof GzipError) throw error;
    throw new GzipError(isCutShort(error) ? "unexpected end of file" : "invalid compressed data--format violated");
  } finally {
    self.holdMemory(-sizeBytes);
  }
}

/** Whether the decompressor met the end where more had to follow. */
function isCutShort(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code === FlateErrorCode.UnexpectedEOF;
}

/** Some 50 MB a second. */
function spendOn(self: Process, bytes: number): void {
  self.spend(Math.ceil(bytes / 50));
}

/** The bytes of a file, unpacked if they are packed. */
export function unpacked(self: Process, bytes: Bytes): Bytes {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipBytes(self, bytes) : bytes;
}
