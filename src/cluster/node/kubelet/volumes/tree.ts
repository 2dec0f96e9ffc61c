// Directories and files made directly as inodes of the node's disk: cheaper than walking paths for every pod.

import { type Bytes, byteLength, noBytes } from "#sim/bytes.ts";
import { type FileSystem, rootCaller } from "#sim/filesystem/file-system.ts";
import { DirectoryInode, FileInode, type InodeAttributes, SymlinkInode } from "#sim/filesystem/inode.ts";
import { enterAccount } from "#sim/filesystem/storage-account.ts";

export class TreeBuilder {
  readonly fileSystem: FileSystem;
  readonly #nowMs: () => number;
  /** Of inodes that are made later than they count from: their numbers are kept, and their bytes paid for. */
  #keptId: number | undefined;

  constructor(fileSystem: FileSystem, nowMs: () => number, keptId?: number) {
    this.fileSystem = fileSystem;
    this.#nowMs = nowMs;
    this.#keptId = keptId;
  }

  get nowMs(): number {
    return this.#nowMs();
  }

  #attributes(permissions: number): InodeAttributes {
    const id = this.#keptId ?? this.fileSystem.nextInodeId();
    if (this.#keptId !== undefined) this.#keptId += 1;
    return { id, permissions, uid: 0, gid: 0, modifiedMs: this.#nowMs(), shared: false };
  }

  /**
   * Fills an empty directory when somebody first looks into it: most volumes of most pods nobody ever does. `make` makes this many inodes
   * and bytes with the builder that it gets, which then are as if made now. Throws SysError where there is no room for them.
   */
  fill(directory: DirectoryInode, inodes: number, bytes: number, make: (tree: TreeBuilder) => void): void {
    const { fileSystem } = this;
    fileSystem.charge(bytes);
    const nowMs = this.#nowMs();
    const keptId = fileSystem.keepInodeIds(inodes);
    directory.provide(() => make(new TreeBuilder(fileSystem, () => nowMs, keptId)));
  }

  directory(permissions: number, gid = 0): DirectoryInode {
    const inode = new DirectoryInode(this.#attributes(permissions));
    inode.gid = gid;
    return inode;
  }

  /** `finish`: what all who read the file get in the content's place, just as long. */
  file(content: string | Bytes, permissions: number, gid = 0, uid = 0, finish?: (draft: string) => string): FileInode {
    const attributes = this.#attributes(permissions);
    const draft = finish !== undefined && typeof content === "string" ? content : undefined;
    const inode = new FileInode(attributes, { content: draft === undefined ? content : noBytes, fileSystem: this.fileSystem });
    if (draft !== undefined) inode.provide(() => finish?.(draft) ?? draft, draft);
    if (this.#keptId === undefined) this.fileSystem.charge(byteLength(content));
    inode.gid = gid;
    inode.uid = uid;
    return inode;
  }

  symlink(target: string): SymlinkInode {
    return new SymlinkInode(this.#attributes(0o777), target);
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
