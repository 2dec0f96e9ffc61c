// An open regular file or directory: a position in an inode.

import type { Bytes } from "../bytes.ts";
import { SysError } from "../errors.ts";
import type { FileStat, OpenMode } from "../files.ts";
import { BaseOpenFile } from "../process/open-file.ts";
import type { FileContext } from "./calls.ts";
import { DirectoryInode, FileInode } from "./inode.ts";
import { statOf } from "./stat.ts";
import type { WriteBack } from "./write-back.ts";

export class RegularFile extends BaseOpenFile {
  readonly description: string;
  readonly inode: FileInode | DirectoryInode;
  readonly #mode: OpenMode;
  readonly #context: FileContext;
  #position = 0;

  constructor(inode: FileInode | DirectoryInode, path: string, mode: OpenMode, context: FileContext) {
    super();
    this.description = path;
    this.inode = inode;
    this.#mode = mode;
    this.#context = context;
  }

  override get writeBack(): WriteBack | undefined {
    return this.inode instanceof FileInode ? this.inode.fileSystem?.writeBack : undefined;
  }

  override tryRead(maxBytes: number): Bytes {
    if (this.inode instanceof DirectoryInode) throw new SysError("EISDIR");
    if (this.#mode.read !== true && (this.#mode.write === true || this.#mode.append === true)) throw new SysError("EBADF");
    // A copy: the inode's buffer may change under the reader.
    const piece = this.inode.read(this.#position, maxBytes);
    this.#position += piece.length;
    return piece;
  }

  /** The whole content as text, wherever the position is. */
  draft(): string {
    return this.inode instanceof FileInode ? this.inode.draft() : this.text();
  }

  text(): string {
    if (this.inode instanceof DirectoryInode) throw new SysError("EISDIR");
    return this.inode.text();
  }

  override tryWrite(data: Bytes): number {
    const inode = this.#writable();
    if (this.#mode.append === true) this.#position = inode.contentBytes;
    const fitting = fittingPart(inode, this.#position, data);
    inode.write(this.#position, fitting, this.#context);
    inode.modifiedMs = this.#context.nowMs;
    this.#position += fitting.length;
    return fitting.length;
  }

  override seek(offset: number, from: "start" | "current" | "end"): number {
    let position = offset;
    if (from === "current") position += this.#position;
    if (from === "end" && this.inode instanceof FileInode) position += this.inode.contentBytes;
    if (position < 0) throw new SysError("EINVAL");
    this.#position = position;
    return position;
  }

  override stat(): FileStat {
    return statOf(this.inode, this.#context);
  }

  override truncate(sizeBytes: number): void {
    this.#writable().truncate(sizeBytes, this.#context);
  }

  #writable(): FileInode {
    if (this.inode instanceof DirectoryInode) throw new SysError("EISDIR");
    if (this.#mode.write !== true && this.#mode.append !== true) throw new SysError("EBADF");
    return this.inode;
  }
}

/** What of the data the disk has room for: all, or else at least a byte, so that the write says why it fails. */
function fittingPart(inode: FileInode, position: number, data: Bytes): Bytes {
  const room = (inode.fileSystem?.roomBytes ?? Number.POSITIVE_INFINITY) + inode.sizeBytes - position;
  return data.length <= room ? data : data.subarray(0, Math.max(1, room));
}
