// What a descriptor stands for: an open file, pipe end, terminal or socket. Calls never block here; they say "not now" and
// offer the queue to wait in, and the process's blocking calls loop over that.

import type { Bytes } from "../bytes.ts";
import { SysError } from "../errors.ts";
import type { FileStat } from "../files.ts";
import type { WriteBack } from "../filesystem/write-back.ts";
import type { TerminalDevice } from "../terminal/device.ts";
import type { KernelProcess } from "./process.ts";
import type { WaitQueue } from "./wait-queue.ts";

export interface OpenFile {
  /** Number of descriptors that stand for it; `close` runs when it falls to 0. */
  references: number;
  /** What /proc/<pid>/fd/<n> shows. */
  readonly description: string;
  readonly terminal: TerminalDevice | undefined;
  /** undefined: nothing there yet, wait in `readers`. Empty: end of file. */
  tryRead(maxBytes: number, process: KernelProcess): Bytes | undefined;
  /** Number of bytes taken; 0: wait in `writers`. */
  tryWrite(data: Bytes, process: KernelProcess): number;
  /** Takes text that is put together when somebody reads it; whoever cannot has none. */
  readonly takeLater?: ((words: () => string) => void) | undefined;
  /** Bytes whose writing is a unit of work: fewer where somebody shows or stores them line by line. */
  readonly writeUnitBytes: number;
  /** Where what is written waits for a slow disk. */
  readonly writeBack: WriteBack | undefined;
  isReadable(): boolean;
  readonly readers: WaitQueue;
  readonly writers: WaitQueue;
  seek(offset: number, from: "start" | "current" | "end"): number;
  stat(): FileStat;
  truncate(sizeBytes: number): void;
  close(): void;
}

const maximumDescriptors = 1024;
const roomForMore = [undefined, undefined, undefined, undefined];

export class DescriptorTable {
  /** Most have few: little longer than needed. */
  #files: (OpenFile | undefined)[];

  /** The first three are given; `add` and `set` make more. */
  constructor(stdin?: OpenFile, stdout?: OpenFile, stderr?: OpenFile) {
    this.#files = [stdin, stdout, stderr];
    for (const file of this.#files) if (file !== undefined) file.references += 1;
  }

  get(fd: number): OpenFile {
    const file = this.#files[fd];
    if (file === undefined) throw new SysError("EBADF");
    return file;
  }

  has(fd: number): boolean {
    return this.#files[fd] !== undefined;
  }

  /** Takes the lowest free number. */
  add(file: OpenFile): number {
    let fd = 0;
    while (this.#files[fd] !== undefined) fd += 1;
    if (fd >= maximumDescriptors) throw new SysError("EBADF");
    file.references += 1;
    this.#put(fd, file);
    return fd;
  }

  set(fd: number, file: OpenFile): void {
    if (fd < 0 || fd >= maximumDescriptors) throw new SysError("EBADF");
    const previous = this.#files[fd];
    if (previous === file) return;
    file.references += 1;
    this.#put(fd, file);
    if (previous !== undefined) release(previous);
  }

  #put(fd: number, file: OpenFile): void {
    while (this.#files.length <= fd) this.#files = this.#files.concat(roomForMore);
    this.#files[fd] = file;
  }

  close(fd: number): void {
    const file = this.get(fd);
    this.#files[fd] = undefined;
    release(file);
  }

  closeAll(): void {
    for (let fd = 0; fd < this.#files.length; fd += 1) {
      const file = this.#files[fd];
      if (file === undefined) continue;
      this.#files[fd] = undefined;
      release(file);
    }
  }

  numbers(): readonly number[] {
    const numbers: number[] = [];
    for (let fd = 0; fd < this.#files.length; fd += 1) if (this.#files[fd] !== undefined) numbers.push(fd);
    return numbers;
  }
}

function release(file: OpenFile): void {
  file.references -= 1;
  if (file.references === 0) file.close();
}
