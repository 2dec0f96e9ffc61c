// The behaviour that most open files share: nothing to read, nothing to write, no position.

import { type Bytes, noBytes } from "../bytes.ts";
import { SysError } from "../errors.ts";
import type { FileStat, FileType } from "../files.ts";
import type { WriteBack } from "../filesystem/write-back.ts";
import type { TerminalDevice } from "../terminal/device.ts";
import type { OpenFile } from "./descriptors.ts";
import type { KernelProcess } from "./process.ts";
import { WaitQueue } from "./wait-queue.ts";

/** For files that never block. */
const neverWaited = new WaitQueue();

export abstract class BaseOpenFile implements OpenFile {
  references = 0;
  abstract readonly description: string;

  get terminal(): TerminalDevice | undefined {
    return undefined;
  }

  get writeUnitBytes(): number {
    return 4096;
  }

  get writeBack(): WriteBack | undefined {
    return undefined;
  }

  get readers(): WaitQueue {
    return neverWaited;
  }

  get writers(): WaitQueue {
    return neverWaited;
  }

  tryRead(_maxBytes: number, _process: KernelProcess): Bytes | undefined {
    throw new SysError("EBADF");
  }

  tryWrite(_data: Bytes, _process: KernelProcess): number {
    throw new SysError("EBADF");
  }

  isReadable(): boolean {
    return true;
  }

  seek(_offset: number, _from: "start" | "current" | "end"): number {
    throw new SysError("EINVAL");
  }

  truncate(_sizeBytes: number): void {
    throw new SysError("EINVAL");
  }

  stat(): FileStat {
    return anonymousStat("character");
  }

  close(): void {}
}

export function anonymousStat(type: FileType): FileStat {
  return { type, inode: 0, permissions: 0o600, uid: 0, gid: 0, links: 1, sizeBytes: 0, modifiedMs: 0 };
}

/** A fixed text read from its start: files of /proc, stdin given as bytes. */
export class TextFile extends BaseOpenFile {
  readonly description: string;
  readonly #content: Bytes;
  #position = 0;

  constructor(description: string, content: Bytes) {
    super();
    this.description = description;
    this.#content = content;
  }

  override tryRead(maxBytes: number): Bytes {
    const piece = this.#content.subarray(this.#position, this.#position + maxBytes);
    this.#position += piece.length;
    return piece;
  }

  override seek(offset: number, from: "start" | "current" | "end"): number {
    let base = 0;
    if (from === "current") base = this.#position;
    else if (from === "end") base = this.#content.length;
    this.#position = Math.max(0, base + offset);
    return this.#position;
  }

  override stat(): FileStat {
    return { ...anonymousStat("file"), permissions: 0o444 };
  }
}

/** Output handed to a callback: container logs, tests. */
export class SinkFile extends BaseOpenFile {
  readonly description = "pipe:[0]";
  readonly takeLater: ((words: () => string) => void) | undefined;
  readonly #sink: (bytes: Bytes) => void;

  constructor(sink: (bytes: Bytes) => void, takeLater?: (words: () => string) => void) {
    super();
    this.#sink = sink;
    this.takeLater = takeLater;
  }

  override get writeUnitBytes(): number {
    return 16;
  }

  override tryRead(): Bytes {
    return noBytes;
  }

  override tryWrite(data: Bytes): number {
    this.#sink(data);
    return data.length;
  }

  override stat(): FileStat {
    return anonymousStat("fifo");
  }
}
