// The listening side of a Unix socket, as a descriptor of the process that made it.

import type { FileStat } from "../files.ts";
import type { SocketInode } from "../filesystem/inode.ts";
import { anonymousStat, BaseOpenFile } from "./open-file.ts";

export class UnixSocketFile extends BaseOpenFile {
  readonly description = "socket:[unix]";
  readonly #inode: SocketInode;

  constructor(inode: SocketInode) {
    super();
    this.#inode = inode;
  }

  override stat(): FileStat {
    return anonymousStat("socket");
  }

  override close(): void {
    this.#inode.close();
  }
}
