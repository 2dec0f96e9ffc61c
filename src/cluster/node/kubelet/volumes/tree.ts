// Directories and files made directly as inodes of the node's disk: cheaper than walking paths for every pod.

import type { Bytes } from "#sim/bytes.ts";
import { type FileSystem, rootCaller } from "#sim/filesystem/file-system.ts";
import { DirectoryInode, FileInode, SymlinkInode } from "#sim/filesystem/inode.ts";
import { enterAccount } from "#sim/filesystem/storage-account.ts";

export class TreeBuilder {
  readonly fileSystem: FileSystem;
  readonly #nowMs: () => number;

  constructor(fileSystem: FileSystem, nowMs: () => number) {
    this.fileSystem = fileSystem;
    this.#nowMs = nowMs;
  }

  directory(permissions: number, gid = 0): DirectoryInode {
    const inode = new DirectoryInode(this.fileSystem.newAttributes(rootCaller, permissions, this.#nowMs()));
    inode.gid = gid;
    return inode;
  }

  /** `finish`: what all who read the file get in the content's place, just as long. */
  file(content: string | Bytes, permissions: number, gid = 0, uid = 0, finish?: (draft: string) => string): FileInode {
    const attributes = this.fileSystem.newAttributes(rootCaller, permissions, this.#nowMs());
    const inode = new FileInode(attributes, { content, fileSystem: this.fileSystem });
    this.fileSystem.charge(content.length);
    if (finish !== undefined && typeof content === "string") inode.provide(() => finish(content), content);
    inode.gid = gid;
    inode.uid = uid;
    return inode;
  }

  symlink(target: string): SymlinkInode {
    return new SymlinkInode(this.fileSystem.newAttributes(rootCaller, 0o777, this.#nowMs()), target);
  }

  /** The directory `name` in `parent`, made when it is not there. */
  childDirectory(parent: DirectoryInode, name: string, permissions = 0o755, gid = 0): DirectoryInode {
    const known = parent.lookup(name, rootCaller);
    if (known instanceof DirectoryInode) return known;
    const made = this.directory(permissions, gid);
    enterAccount(made, parent);
    parent.set(name, made);
    return made;
  }

  /** Gives the bytes below a directory back to the disk. */
  release(directory: DirectoryInode): void {
    for (const name of directory.names(rootCaller)) {
      const child = directory.lookup(name, rootCaller);
      if (child instanceof DirectoryInode) this.release(child);
      if (child !== undefined) this.fileSystem.release(child);
    }
  }
}
