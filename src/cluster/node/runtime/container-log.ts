// What a container wrote to stdout and stderr: a file of the node's disk in the form of the Container Runtime Interface, a line
// of it for each line written, `2026-01-01T00:00:00.000000000Z stdout F text`. The file is the only place where lines are kept:
// who reads them (`kubectl logs`, crictl, a program on the node) reads the file.

import { type Bytes, concatBytes, decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { FileInode } from "#sim/filesystem/inode.ts";
import { LogClock, timeBytes } from "./log-time.ts";

export type LogStream = "stdout" | "stderr";

/** One line of the file. */
export interface LogLine {
  /** `2026-01-01T00:00:00.000000000Z` */
  readonly time: Bytes;
  readonly stream: LogStream;
  /** What the container wrote, with its newline unless the line was cut (P in the file). */
  readonly bytes: Bytes;
}

const newline = 0x0a;
const space = 0x20;
const partial = 0x50;
/** containerd's max_container_log_line_size: a longer line is cut into pieces. */
const maximumLineBytes = 16 * 1024;
const tags = { stdout: encodeUtf8(" stdout F "), stderr: encodeUtf8(" stderr F ") } as const;
/** Time, stream and tag in front of the text. */
const prefixBytes = timeBytes + tags.stdout.length;
/** Of the tag's letter. */
const tagOffset = prefixBytes - 2;

/** Text that is not put together yet. */
interface Unread {
  readonly stream: LogStream;
  readonly words: () => string;
  readonly timeMs: number;
}

/** More are put together even if nobody looks. */
const maximumUnread = 64;

/** Lines on their way into a file; empty between two calls. */
let gathered: Bytes = new Uint8Array(64 * 1024);

export class ContainerLog {
  #file: FileInode;
  readonly #clock = new LogClock();
  readonly #rest: { stdout: Bytes; stderr: Bytes } = { stdout: noBytes, stderr: noBytes };
  /** Most logs are never followed. */
  #followers: Set<(line: LogLine) => void> | undefined;
  #onEnd: Set<() => void> | undefined;
  /** Lines that followers are to be told when they are in the file. */
  readonly #untold: LogLine[] = [];
  readonly #limitBytes: number;
  readonly #onFull: () => void;
  #isFullTold = false;
  #ended = false;
  /** What nobody has read yet, in the order of writing. */
  #unread: Unread[] | undefined;

  /** `onFull` is told once for each file that reaches `limitBytes`. */
  constructor(file: FileInode, limitBytes: number, onFull: () => void) {
    this.#file = file;
    this.#limitBytes = limitBytes;
    this.#onFull = onFull;
  }

  /** The current file. */
  get file(): FileInode {
    return this.#file;
  }

  /** Bytes of the current file. */
  get sizeBytes(): number {
    return this.#file.contentBytes;
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  /** Text that is given as a function is put together when somebody looks at the file, or at once for those who follow. */
  append(stream: LogStream, data: Bytes | (() => string), timeMs: number): void {
    if (typeof data !== "function") this.#append(stream, data, timeMs);
    else if ((this.#followers?.size ?? 0) > 0) this.#append(stream, encodeUtf8(data()), timeMs);
    else this.#appendLater({ stream, words: data, timeMs });
  }

  #appendLater(text: Unread): void {
    const file = this.#file;
    if (this.#unread === undefined) {
      const unread: Unread[] = [];
      file.provideRest(() => {
        this.#unread = undefined;
        for (const { stream, words, timeMs } of unread) this.#append(stream, encodeUtf8(words()), timeMs);
      });
      this.#unread = unread;
    }
    file.modifiedMs = text.timeMs;
    if (this.#unread.push(text) > maximumUnread) file.content();
  }

  #append(stream: LogStream, bytes: Bytes, timeMs: number): void {
    if (bytes.length === 0) return;
    this.#bring();
    const rest = this.#rest[stream];
    const pending = rest.length === 0 ? bytes : concatBytes([rest, bytes]);
    let start = 0;
    let length = 0;
    for (let end = pending.indexOf(newline); end >= 0; end = pending.indexOf(newline, start)) {
      for (; end - start > maximumLineBytes; start += maximumLineBytes)
        length = this.#gather(length, stream, pending.subarray(start, start + maximumLineBytes), timeMs);
      length = this.#gather(length, stream, pending.subarray(start, end + 1), timeMs);
      start = end + 1;
    }
    for (; pending.length - start > maximumLineBytes; start += maximumLineBytes)
      length = this.#gather(length, stream, pending.subarray(start, start + maximumLineBytes), timeMs);
    this.#rest[stream] = start === pending.length ? noBytes : pending.slice(start);
    if (length > 0) this.#write(length, timeMs);
  }

  /** The container has ended: an unfinished line is written as it is, and followers are told. */
  end(timeMs: number): void {
    if (this.#ended) return;
    for (const stream of ["stdout", "stderr"] as const) {
      const rest = this.#rest[stream];
      this.#rest[stream] = noBytes;
      if (rest.length > 0) this.#write(this.#gather(0, stream, rest, timeMs), timeMs);
    }
    this.#ended = true;
    for (const tell of [...(this.#onEnd ?? [])]) tell();
    this.#followers = undefined;
    this.#onEnd = undefined;
  }

  /** From now on lines go to another file: the one so far was renamed. */
  reopen(file: FileInode): void {
    this.#bring();
    this.#file = file;
    this.#isFullTold = false;
  }

  /** Writes what nobody has read yet: to look at the file is enough. */
  #bring(): void {
    if (this.#unread !== undefined) this.#file.content();
  }

  /** Calls `onLine` for what comes, until `onEnd` or the returned function is called. */
  follow(onLine: (line: LogLine) => void, onEnd: () => void): () => void {
    this.#bring();
    if (this.#ended) {
      onEnd();
      return () => {};
    }
    this.#followers ??= new Set();
    this.#onEnd ??= new Set();
    this.#followers.add(onLine);
    this.#onEnd.add(onEnd);
    return () => {
      this.#followers?.delete(onLine);
      this.#onEnd?.delete(onEnd);
    };
  }

  /** The lines of the current file, or the last `count` of them. */
  lines(count = Number.POSITIVE_INFINITY): readonly LogLine[] {
    const content = this.#file.content();
    return linesOf(content, count === Number.POSITIVE_INFINITY ? 0 : startOfLast(content, count));
  }

  /** Text of the last `count` lines, at most `bytes` bytes of it. */
  tailText(count: number, bytes: number): string {
    const text = concatBytes(this.lines(count).map((line) => line.bytes));
    return decodeUtf8(text.subarray(Math.max(0, text.length - bytes)));
  }

  /** Puts a line behind the first `length` gathered bytes; how many there are then. */
  #gather(length: number, stream: LogStream, bytes: Bytes, timeMs: number): number {
    const isWhole = bytes[bytes.length - 1] === newline;
    const end = length + prefixBytes + bytes.length + (isWhole ? 0 : 1);
    if (end > gathered.length) {
      const wider = new Uint8Array(2 * end);
      wider.set(gathered.subarray(0, length));
      gathered = wider;
    }
    this.#clock.write(gathered, length, timeMs);
    gathered.set(tags[stream], length + timeBytes);
    if (!isWhole) {
      gathered[length + tagOffset] = partial;
      gathered[end - 1] = newline;
    }
    gathered.set(bytes, length + prefixBytes);
    if (this.#followers !== undefined && this.#followers.size > 0)
      this.#untold.push({ time: gathered.slice(length, length + timeBytes), stream, bytes: bytes.slice() });
    return end;
  }

  /** Appends what was gathered, and tells who follows. */
  #write(length: number, timeMs: number): void {
    this.#appendToFile(gathered.subarray(0, length), timeMs);
    if (this.#untold.length > 0)
      for (const line of this.#untold.splice(0)) for (const follower of [...(this.#followers ?? [])]) follower(line);
    if (this.#isFullTold || this.#file.contentBytes < this.#limitBytes) return;
    this.#isFullTold = true;
    this.#onFull();
  }

  /** Lines for which the disk has no room, or whose file was removed by hand, are lost. */
  #appendToFile(bytes: Bytes, timeMs: number): void {
    const file = this.#file;
    if (file.links === 0) return;
    try {
      // What the computer can hold has an end: a file that grows to twice the limit before it is rotated begins anew.
      if (file.contentBytes > 2 * this.#limitBytes) file.truncate(0);
      file.write(file.contentBytes, bytes);
      file.modifiedMs = timeMs;
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
  }
}

/** Where the last `count` lines begin. */
function startOfLast(content: Bytes, count: number): number {
  if (count <= 0) return content.length;
  let at = content.length - 1;
  for (let left = count; at > 0; at -= 1) {
    at = content.lastIndexOf(newline, at - 1);
    left -= 1;
    if (at < 0 || left === 0) return at + 1;
  }
  return 0;
}

/** Lines that are not of the form, which someone else must have written, are left out. */
function linesOf(content: Bytes, from: number): readonly LogLine[] {
  const lines: LogLine[] = [];
  for (let start = from; start < content.length; ) {
    const end = content.indexOf(newline, start);
    if (end < 0) break;
    const line = lineOf(content, start, end);
    if (line !== undefined) lines.push(line);
    start = end + 1;
  }
  return lines;
}

function lineOf(content: Bytes, start: number, end: number): LogLine | undefined {
  const afterTime = start + timeBytes;
  const text = start + prefixBytes;
  if (text > end || content[afterTime] !== space || content[text - 1] !== space) return undefined;
  const stream = content[afterTime + 4] === tags.stdout[4] ? "stdout" : "stderr";
  const isPartial = content[start + tagOffset] === partial;
  return { time: content.subarray(start, afterTime), stream, bytes: content.subarray(text, isPartial ? end : end + 1) };
}
