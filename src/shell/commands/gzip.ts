// gzip, gunzip, zcat: files of one member (RFC 1952), by fflate's deflate.

import { deflateSync, FlateErrorCode, inflateSync } from "fflate";
import { type Bytes, concatBytes, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { type CommandDefinition, type Tool, UsageFailure } from "./tool.ts";

/** Why bytes cannot be unpacked, as GNU's gzip says it. */
export class GzipError extends Error {}

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
export function pack(self: Process, content: Bytes, name: string, seconds: number, level = 6): Bytes {
  spendOn(self, content.length);
  const head = new Uint8Array(headerBytes);
  head.set([0x1f, 0x8b, 8, name === "" ? 0 : flag.name]);
  const view = new DataView(head.buffer);
  view.setUint32(4, seconds, true);
  head[8] = level === 9 ? 2 : level === 1 ? 4 : 0;
  head[9] = 3;
  const trailer = new DataView(new ArrayBuffer(trailerBytes));
  trailer.setUint32(0, crcOf(content), true);
  trailer.setUint32(4, content.length, true);
  const packed = deflateSync(content, { level: level as 6 });
  return concatBytes([head, name === "" ? noBytes : encodeUtf8(`${name}\0`), packed, new Uint8Array(trailer.buffer)]);
}

/** Throws GzipError; SysError ENOMEM for more than can be kept. */
export function unpack(self: Process, packed: Bytes): Bytes {
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

const options =
  "c,stdout,to-stdout d,decompress,uncompress f,force k,keep l,list n,no-name N,name q,quiet r,recursive S=,suffix= t,test v,verbose 1,fast 2 3 4 5 6 7 8 9,best";

function make(name: string, first: readonly string[]): CommandDefinition {
  return {
    name,
    options,
    unsupported: "l r S N",
    usage: `${name} [-cfkdt] [FILE]...`,
    *run(tool) {
      for (const { 0: option } of tool.given)
        if (!tool.gnu && "nqv".includes(option) && option !== "v") throw new UsageFailure(`invalid option -- '${option}'`);
      tool.given = [...tool.given, ...first.map((option) => [option, ""] as const)];
      const files = tool.operands.length === 0 ? ["-"] : tool.operands;
      let status = 0;
      for (const file of files) status = Math.max(status, yield* one(tool, file));
      return status;
    },
  };
}

export const gzip = make("gzip", []);
export const gunzip = make("gunzip", ["d"]);
export const zcat = make("zcat", ["d", "c"]);

function* complain(tool: Tool, text: string, status: number): Sys<number> {
  yield* tool.flush();
  if (!(tool.has("q") && status === 2)) yield* tool.self.write(2, `${tool.gnu ? "gzip" : tool.name}: ${text}\n`);
  return tool.has("q") && status === 2 ? 0 : status;
}

/** 0, 1 for an error, 2 for what was left as it is. */
function* one(tool: Tool, file: string): Sys<number> {
  const { self, gnu } = tool;
  const unpacks = tool.has("d") || tool.has("t");
  const toOutput = tool.has("c") || tool.has("t") || file === "-";
  try {
    if (file !== "-") {
      if (self.stat(file).type === "directory")
        return yield* complain(tool, gnu ? `${file} is a directory -- ignored` : `${file}: Is a directory`, gnu ? 2 : 1);
      const isPacked = /\.(?:gz|tgz)$/u.test(file);
      if (!unpacks && isPacked && gnu) return yield* complain(tool, `${file} already has .gz suffix -- unchanged`, 2);
      if (unpacks && !isPacked && !tool.has("c") && !tool.has("t"))
        return yield* complain(tool, `${file}: unknown suffix -${gnu ? "-" : ""} ignored`, gnu ? 2 : 1);
    } else if (!unpacks && self.isTty(1) && !tool.has("f"))
      return yield* complain(
        tool,
        "compressed data not written to a terminal. Use -f to force compression.\nFor help, type: gzip -h",
        1,
      );
    const target = unpacks ? file.replace(/\.tgz$/u, ".tar").replace(/\.gz$/u, "") : `${file}.gz`;
    if (!toOutput && !tool.has("f") && self.exists(target))
      return yield* complain(
        tool,
        gnu ? `${target} already exists;\tnot overwritten` : `can't open '${target}': File exists`,
        gnu ? 2 : 1,
      );
    const content = yield* tool.readAll(file);
    const stat = file === "-" ? undefined : self.stat(file);
    const seconds = stat === undefined || tool.has("n") ? 0 : Math.floor(stat.modifiedMs / 1000);
    const name = stat === undefined || tool.has("n") || !gnu ? "" : file.slice(file.lastIndexOf("/") + 1);
    const level = Number(tool.lastOf("1", "2", "3", "4", "5", "6", "7", "8", "9") ?? "6");
    const made = unpacks ? unpack(self, content) : pack(self, content, name, seconds, level);
    yield* self.breathe();
    if (tool.has("t")) return 0;
    if (toOutput) {
      yield* tool.print(made);
      return 0;
    }
    self.writeFile(target, made, { permissions: stat?.permissions ?? 0o644 });
    self.utimes(target, stat?.modifiedMs ?? self.nowMs);
    if (!tool.has("k")) self.unlink(file);
    if (tool.has("v")) yield* self.write(2, verbose(tool, file, target, content.length, made.length));
    return 0;
  } catch (error) {
    const shown = file === "-" ? "stdin" : file;
    if (error instanceof GzipError) {
      if (!gnu) return yield* complain(tool, busyboxWords(error.message), 1);
      yield* self.write(2, `\ngzip: ${shown}: ${error.message}\n`);
      return 1;
    }
    if (!(error instanceof SysError) || error.code === "EPIPE") throw error;
    return yield* complain(tool, `${shown}: ${error.message}`, 1);
  }
}

function busyboxWords(message: string): string {
  if (message === "not in gzip format") return "invalid magic";
  return message === "unexpected end of file" ? message : "corrupted data";
}

function verbose({ gnu }: Tool, file: string, target: string, before: number, after: number): string {
  const [whole, small] = before > after ? [before, after] : [after, before];
  const share = whole === 0 ? 0 : (1 - small / whole) * 100;
  if (!gnu) return `${file}: ${Math.round((after * 100) / Math.max(1, before))}% - replaced with ${target}\n`;
  return `${file}:\t${`${(before >= after || target.length < file.length ? share : -share).toFixed(1)}%`.padStart(6)} -- replaced with ${target}\n`;
}

/** For tar: the bytes of an archive, unpacked if they are packed. */
export function unpackedArchive(self: Process, bytes: Bytes): Bytes {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? unpack(self, bytes) : bytes;
}
