// Named pipes (fifo(7)): a pipe that is reached by a path. Its two sides wait for each other; it begins anew when all have closed it.

import { type Bytes, noBytes } from "../bytes.ts";
import { SysError } from "../errors.ts";
import type { FileStat, OpenMode } from "../files.ts";
import { anonymousStat, BaseOpenFile } from "./open-file.ts";
import { ByteQueue, pipeCapacityBytes } from "./pipe.ts";
import type { KernelProcess } from "./process.ts";
import { WaitQueue } from "./wait-queue.ts";

/** What all who have it open share. */
export class Fifo {
  readonly queue = new ByteQueue();
  readonly readers = new WaitQueue();
  readonly writers = new WaitQueue();
  readEnds = 0;
  writeEnds = 0;
  /** How often each side has been opened, ever. */
  readOpens = 0;
  writeOpens = 0;

  open(mode: OpenMode): FifoFile {
    const writes = mode.write === true || mode.append === true;
    return new FifoFile(this, mode.read === true || !writes, writes);
  }

  wake(): void {
    this.readers.wake();
    this.writers.wake();
  }
}

export class FifoFile extends BaseOpenFile {
  readonly description = "pipe:[fifo]";
  readonly #fifo: Fifo;
  readonly #reads: boolean;
  readonly #writes: boolean;
  /** Openings of the other side before this one. */
  readonly #before: number;
  readonly #metAtOnce: boolean;

  constructor(fifo: Fifo, reads: boolean, writes: boolean) {
    super();
    this.#fifo = fifo;
    this.#reads = reads;
    this.#writes = writes;
    if (reads) {
      fifo.readEnds += 1;
      fifo.readOpens += 1;
    }
    if (writes) {
      fifo.writeEnds += 1;
      fifo.writeOpens += 1;
    }
    this.#before = reads ? fifo.writeOpens : fifo.readOpens;
    this.#metAtOnce = (reads ? fifo.writeEnds : fifo.readEnds) > 0;
    fifo.wake();
  }

  /** Somebody has opened the other side: open(2) waits for it. */
  get isMet(): boolean {
    const fifo = this.#fifo;
    return this.#metAtOnce || (this.#reads ? fifo.writeOpens : fifo.readOpens) > this.#before;
  }

  override get readers(): WaitQueue {
    return this.#fifo.readers;
  }

  override get writers(): WaitQueue {
    return this.#fifo.writers;
  }

  override tryRead(maxBytes: number): Bytes | undefined {
    if (!this.#reads) throw new SysError("EBADF");
    const { queue, writeEnds, writers } = this.#fifo;
    if (queue.length === 0) return writeEnds > 0 || !this.isMet ? undefined : noBytes;
    const bytes = queue.take(maxBytes);
    writers.wake();
    return bytes;
  }

  override tryWrite(data: Bytes, process: KernelProcess): number {
    if (!this.#writes) throw new SysError("EBADF");
    const { queue, readEnds, readers } = this.#fifo;
    if (readEnds === 0) {
      if (!this.isMet) return 0;
      process.raise("PIPE");
      throw new SysError("EPIPE");
    }
    const room = pipeCapacityBytes - queue.length;
    if (room <= 0) return 0;
    const taken = data.length <= room ? data : data.subarray(0, room);
    queue.push(taken);
    readers.wake();
    return taken.length;
  }

  override isReadable(): boolean {
    return this.#reads && (this.#fifo.queue.length > 0 || (this.#fifo.writeEnds === 0 && this.isMet));
  }

  override stat(): FileStat {
    return anonymousStat("fifo");
  }

  override close(): void {
    const fifo = this.#fifo;
    if (this.#reads) fifo.readEnds -= 1;
    if (this.#writes) fifo.writeEnds -= 1;
    if (fifo.readEnds + fifo.writeEnds === 0) fifo.queue.clear();
    fifo.wake();
  }
}
