// Pipes: 64 KiB between a write end and a read end (pipe(7)).

import { type Bytes, concatBytes, noBytes } from "../bytes.ts";
import { SysError } from "../errors.ts";
import type { FileStat } from "../files.ts";
import { areSharedZeros } from "./backing.ts";
import { anonymousStat, BaseOpenFile } from "./open-file.ts";
import type { KernelProcess } from "./process.ts";
import { WaitQueue } from "./wait-queue.ts";

export const pipeCapacityBytes = 65_536;

/** Bytes in order, in pieces as written, taken in any size. */
export class ByteQueue {
  #pieces: Bytes[] = [];
  #first = 0;
  length = 0;

  push(bytes: Bytes): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.length += bytes.length;
  }

  take(maxBytes: number): Bytes {
    if (this.length === 0) return noBytes;
    const piece = this.#pieces[this.#first] as Bytes;
    // Zeros stay those that all share, and so cost nothing.
    if (piece.length < Math.min(maxBytes, this.length) && areSharedZeros(piece)) {
      this.#first += 1;
      this.length -= piece.length;
      this.#compact();
      return piece;
    }
    if (piece.length > maxBytes) {
      this.#pieces[this.#first] = piece.subarray(maxBytes);
      this.length -= maxBytes;
      return piece.subarray(0, maxBytes);
    }
    if (piece.length === this.length) {
      this.clear();
      return piece;
    }
    const taken: Bytes[] = [];
    let size = 0;
    while (this.#first < this.#pieces.length) {
      const next = this.#pieces[this.#first] as Bytes;
      if (size + next.length > maxBytes) break;
      taken.push(next);
      size += next.length;
      this.#first += 1;
    }
    this.length -= size;
    this.#compact();
    return concatBytes(taken);
  }

  #compact(): void {
    if (this.#first <= 64 || this.#first * 2 <= this.#pieces.length) return;
    this.#pieces = this.#pieces.slice(this.#first);
    this.#first = 0;
  }

  clear(): void {
    this.#pieces = [];
    this.#first = 0;
    this.length = 0;
  }
}

class PipeBuffer {
  readonly queue = new ByteQueue();
  readonly readers = new WaitQueue();
  readonly writers = new WaitQueue();
  readOpen = true;
  writeOpen = true;
  readonly description: string;

  constructor(id: number) {
    this.description = `pipe:[${id}]`;
  }

  closeWriting(): void {
    if (!this.writeOpen) return;
    this.writeOpen = false;
    this.readers.wake();
  }

  closeReading(): void {
    this.readOpen = false;
    this.queue.clear();
    this.writers.wake();
  }
}

class PipeReadEnd extends BaseOpenFile {
  readonly #pipe: PipeBuffer;

  constructor(pipe: PipeBuffer) {
    super();
    this.#pipe = pipe;
  }

  get description(): string {
    return this.#pipe.description;
  }

  override get readers(): WaitQueue {
    return this.#pipe.readers;
  }

  override tryRead(maxBytes: number): Bytes | undefined {
    const { queue } = this.#pipe;
    if (queue.length === 0) return this.#pipe.writeOpen ? undefined : noBytes;
    const bytes = queue.take(maxBytes);
    this.#pipe.writers.wake();
    return bytes;
  }

  override isReadable(): boolean {
    return this.#pipe.queue.length > 0 || !this.#pipe.writeOpen;
  }

  override stat(): FileStat {
    return anonymousStat("fifo");
  }

  override close(): void {
    this.#pipe.closeReading();
  }
}

class PipeWriteEnd extends BaseOpenFile {
  readonly #pipe: PipeBuffer;

  constructor(pipe: PipeBuffer) {
    super();
    this.#pipe = pipe;
  }

  get description(): string {
    return this.#pipe.description;
  }

  override get writers(): WaitQueue {
    return this.#pipe.writers;
  }

  override tryWrite(data: Bytes, process: KernelProcess): number {
    const pipe = this.#pipe;
    if (!pipe.readOpen) {
      process.raise("PIPE");
      throw new SysError("EPIPE");
    }
    const room = pipeCapacityBytes - pipe.queue.length;
    if (room <= 0) return 0;
    const taken = data.length <= room ? data : data.subarray(0, room);
    pipe.queue.push(taken);
    pipe.readers.wake();
    return taken.length;
  }

  override isReadable(): boolean {
    return false;
  }

  override stat(): FileStat {
    return anonymousStat("fifo");
  }

  override close(): void {
    this.#pipe.closeWriting();
  }
}

export function createPipe(id: number): { readonly read: BaseOpenFile; readonly write: BaseOpenFile } {
  const pipe = new PipeBuffer(id);
  return { read: new PipeReadEnd(pipe), write: new PipeWriteEnd(pipe) };
}

/** A pipe into a process, filled from outside of it (`kubectl exec -i`, attach). Bytes are always taken; the source should keep pace. */
export class InputPipe {
  readonly #pipe: PipeBuffer;
  /** Hand this to `Kernel.start` as stdin. */
  readonly file: BaseOpenFile;

  constructor(id: number) {
    this.#pipe = new PipeBuffer(id);
    this.file = new PipeReadEnd(this.#pipe);
  }

  /** False when the reading side has gone. */
  write(bytes: Bytes): boolean {
    if (!this.#pipe.readOpen || !this.#pipe.writeOpen) return false;
    this.#pipe.queue.push(bytes);
    this.#pipe.readers.wake();
    return true;
  }

  /** End of file for the reader. */
  end(): void {
    this.#pipe.closeWriting();
  }

  get bufferedBytes(): number {
    return this.#pipe.queue.length;
  }
}
