// What a container wrote to stdout and stderr, line by line with times, as the runtime's log file holds it.

import { type Bytes, concatBytes, decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { formatLogTime } from "./log-time.ts";

export type LogStream = "stdout" | "stderr";

/** One line, with its newline unless it was cut. */
export interface LogEntry {
  readonly timeMs: number;
  readonly sequence: number;
  readonly stream: LogStream;
  readonly bytes: Bytes;
}

/** The kubelet's containerLogMaxSize. */
export const maximumLogBytes = 10 * 1024 * 1024;
const newline = 0x0a;
/** A longer line is cut into pieces. */
const maximumLineBytes = 16 * 1024;
/** Time and stream in front of each line of the file. */
const prefixBytes = 40;

export class ContainerLog {
  #entries: LogEntry[] = [];
  #sizeBytes = 0;
  #sequence = 0;
  #rotations = 0;
  readonly #rest: { stdout: Bytes; stderr: Bytes } = { stdout: noBytes, stderr: noBytes };
  readonly #followers = new Set<(entry: LogEntry) => void>();
  readonly #onEnd = new Set<() => void>();
  #ended = false;

  get entries(): readonly LogEntry[] {
    return this.#entries;
  }

  /** Bytes of the current file. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get rotations(): number {
    return this.#rotations;
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  append(stream: LogStream, bytes: Bytes, timeMs: number): void {
    if (bytes.length === 0) return;
    const rest = this.#rest[stream];
    const first = bytes.indexOf(newline);
    if (rest.length === 0 && first === bytes.length - 1) {
      this.#push(stream, bytes, timeMs);
      return;
    }
    let pending = rest.length === 0 ? bytes : concatBytes([rest, bytes]);
    for (let end = pending.indexOf(newline); end >= 0; end = pending.indexOf(newline)) {
      this.#push(stream, pending.subarray(0, end + 1), timeMs);
      pending = pending.subarray(end + 1);
    }
    while (pending.length >= maximumLineBytes) {
      this.#push(stream, pending.subarray(0, maximumLineBytes), timeMs);
      pending = pending.subarray(maximumLineBytes);
    }
    this.#rest[stream] = pending.length === 0 ? noBytes : pending.slice();
  }

  /** The container has ended: an unfinished line is written as it is, and followers are told. */
  end(timeMs: number): void {
    if (this.#ended) return;
    for (const stream of ["stdout", "stderr"] as const) {
      const rest = this.#rest[stream];
      this.#rest[stream] = noBytes;
      if (rest.length > 0) this.#push(stream, rest, timeMs);
    }
    this.#ended = true;
    for (const tell of [...this.#onEnd]) tell();
    this.#followers.clear();
    this.#onEnd.clear();
  }

  /** Calls `onEntry` for what comes, until `onEnd` or the returned function is called. */
  follow(onEntry: (entry: LogEntry) => void, onEnd: () => void): () => void {
    if (this.#ended) {
      onEnd();
      return () => {};
    }
    this.#followers.add(onEntry);
    this.#onEnd.add(onEnd);
    return () => {
      this.#followers.delete(onEntry);
      this.#onEnd.delete(onEnd);
    };
  }

  /** The file as it stands on the node: `time stream F text`. */
  fileText(): string {
    let text = "";
    for (const entry of this.#entries) {
      const line = decodeUtf8(entry.bytes);
      const isWhole = line.endsWith("\n");
      text += `${formatLogTime(entry)} ${entry.stream} ${isWhole ? "F" : "P"} ${isWhole ? line : `${line}\n`}`;
    }
    return text;
  }

  /** The last `lines` lines, at most `bytes` bytes of them. */
  tailText(lines: number, bytes: number): string {
    const text = this.#entries
      .slice(-lines)
      .map((entry) => decodeUtf8(entry.bytes))
      .join("");
    const encoded = encodeUtf8(text);
    return encoded.length <= bytes ? text : decodeUtf8(encoded.subarray(encoded.length - bytes));
  }

  #push(stream: LogStream, bytes: Bytes, timeMs: number): void {
    if (this.#sizeBytes > maximumLogBytes) {
      this.#entries = [];
      this.#sizeBytes = 0;
      this.#rotations += 1;
    }
    const entry: LogEntry = { timeMs, sequence: this.#sequence++, stream, bytes };
    this.#entries.push(entry);
    this.#sizeBytes += bytes.length + prefixBytes;
    if (this.#followers.size > 0) for (const follower of [...this.#followers]) follower(entry);
  }
}
