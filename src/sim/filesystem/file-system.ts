// One layer of storage: an in-memory tree, above an image's immutable tree or above nothing (tmpfs, a node's disk).

import { SysError } from "../errors.ts";
import type { FileTree, TreeEntry } from "../files.ts";
import type { Backing } from "../process/backing.ts";
import { type Caller, DirectoryInode, FileInode, type Inode, type SpecialInode, SymlinkInode } from "./inode.ts";
import { leaveAccount } from "./storage-account.ts";
import type { WriteBack } from "./write-back.ts";

export type FileSystemType = "overlay" | "tmpfs" | "ext4" | "proc" | "devtmpfs" | "cgroup" | "cgroup2";

/** What the world keeps for an entry without content. */
const inodeBytes = 512;

/** As statfs tells it; undefined: it has no bounds of its own. */
export interface Room {
  readonly sizeBytes: number | undefined;
  readonly availableBytes: number;
  readonly inodes: number | undefined;
  readonly freeInodes: number;
}

export const rootCaller: Caller = { uid: 0, gid: 0, groups: [] };

export class FileSystem {
  readonly type: FileSystemType;
  /** What /proc/mounts names as the device. */
  readonly source: string;
  /** Its own, behind those of a mount. */
  readonly mountOptions: string;
  /** Beyond it writes fail with ENOSPC. */
  limitBytes: number | undefined;
  /** How many entries there may be, as far as they are counted; undefined: as many as the world can keep. */
  readonly inodes: number | undefined;
  /** The disk that this layer is kept on, and fills. */
  readonly #disk: FileSystem | undefined;
  /** What the world can keep of files. */
  readonly #backing: Backing | undefined;
  #writeBack: WriteBack | undefined;
  #root: DirectoryInode;
  #usedBytes = 0;
  #usedInodes = 0;
  #backedBytes = 0;
  #nextInode: number;

  constructor(options: {
    readonly type: FileSystemType;
    readonly source?: string;
    readonly mountOptions?: string;
    readonly lower?: DirectoryInode;
    readonly limitBytes?: number;
    readonly inodes?: number;
    readonly rootPermissions?: number;
    readonly nowMs?: number;
    readonly disk?: FileSystem;
    readonly backing?: Backing;
  }) {
    this.type = options.type;
    this.source = options.source ?? options.type;
    this.mountOptions = options.mountOptions ?? "";
    this.limitBytes = options.limitBytes;
    this.inodes = options.inodes;
    this.#disk = options.disk;
    this.#backing = options.backing;
    // Above an image's own numbers.
    this.#nextInode = options.lower === undefined ? 2 : 1_000_000;
    this.#root =
      options.lower ??
      new DirectoryInode({
        id: 1,
        permissions: options.rootPermissions ?? 0o755,
        uid: 0,
        gid: 0,
        modifiedMs: options.nowMs ?? 0,
        shared: false,
      });
  }

  get root(): DirectoryInode {
    return this.#root;
  }

  /** Of the disk that it is on; undefined: whatever is written is there at once. */
  get writeBack(): WriteBack | undefined {
    return this.#disk === undefined ? this.#writeBack : this.#disk.writeBack;
  }

  set writeBack(writeBack: WriteBack | undefined) {
    this.#writeBack = writeBack;
  }

  /** Bytes of file content in this layer, without the image beneath: what ephemeral-storage limits count. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Entries that programs made in this layer, without those of the image beneath. */
  get usedInodes(): number {
    return this.#usedInodes;
  }

  /** Entries that may still be made. */
  get freeInodes(): number {
    const own = this.inodes === undefined ? Number.POSITIVE_INFINITY : this.inodes - this.#usedInodes;
    return this.#disk === undefined ? own : Math.min(own, this.#disk.freeInodes);
  }

  /** A layer on a disk has the disk's. */
  get room(): Room {
    if (this.#disk !== undefined) return this.#disk.room;
    const { limitBytes, inodes } = this;
    return { sizeBytes: limitBytes, availableBytes: Math.max(0, this.roomBytes), inodes, freeInodes: Math.max(0, this.freeInodes) };
  }

  /** Bytes that may still be written. */
  get roomBytes(): number {
    const own = this.limitBytes === undefined ? Number.POSITIVE_INFINITY : this.limitBytes - this.#usedBytes;
    return this.#disk === undefined ? own : Math.min(own, this.#disk.roomBytes);
  }

  /** Throws ENOSPC when the layer, or the disk that it is on, is full. */
  charge(bytes: number): void {
    if (bytes > 0 && bytes > this.roomBytes) throw new SysError("ENOSPC");
    this.#usedBytes += bytes;
    this.#disk?.charge(bytes);
  }

  /** What is kept beside the files takes so much more (or, negative, less): images' layers. There need not be room for it. */
  occupy(bytes: number): void {
    this.#usedBytes += bytes;
  }

  /** What content really takes changes. Throws ENOSPC when the world can keep no more. */
  back(bytes: number): void {
    const backing = this.#backing;
    if (backing === undefined || bytes === 0) return;
    if (bytes > 0 && backing.usedBytes + bytes > backing.limitBytes) throw new SysError("ENOSPC");
    backing.usedBytes += bytes;
    this.#backedBytes += bytes;
  }

  /** The layer is removed with all that is in it. */
  discard(): void {
    if (this.type === "tmpfs") freeBelow(this.#root);
    this.#disk?.charge(-this.#usedBytes);
    this.#usedBytes = 0;
    this.#countInodes(-this.#usedInodes);
    this.back(-this.#backedBytes);
  }

  /** The root, as an inode of this layer that may be changed. */
  ownRoot(): DirectoryInode {
    if (this.#root.shared) this.#root = this.copyUp(this.#root) as DirectoryInode;
    return this.#root;
  }

  nextInodeId(): number {
    return this.#nextInode++;
  }

  /** Keeps numbers free for inodes that are made later; the first of them. */
  keepInodeIds(count: number): number {
    this.#nextInode += count;
    return this.#nextInode - count;
  }

  /** An inode of this layer that stands for a shared one. */
  copyUp(inode: Inode): Inode {
    const attributes = {
      id: inode.id,
      permissions: inode.permissions,
      uid: inode.uid,
      gid: inode.gid,
      modifiedMs: inode.modifiedMs,
      shared: false,
    };
    if (inode instanceof DirectoryInode) return new DirectoryInode(attributes, inode);
    if (inode instanceof FileInode) return inode.copyUp(attributes, this);
    return inode instanceof SymlinkInode && inode.constructor === SymlinkInode ? new SymlinkInode(attributes, inode.target) : inode;
  }

  newAttributes(caller: Caller, permissions: number, nowMs: number) {
    return { id: this.nextInodeId(), permissions, uid: caller.uid, gid: caller.gid, modifiedMs: nowMs, shared: false };
  }

  /** A program makes an entry. Throws ENOSPC when the disk, or the world, can keep no more of them. */
  countEntry(inode: Inode): void {
    if (this.freeInodes <= 0) throw new SysError("ENOSPC");
    this.back(inodeBytes);
    inode.isCounted = true;
    this.#countInodes(1);
  }

  #countInodes(inodes: number): void {
    this.#usedInodes += inodes;
    if (this.#disk !== undefined) this.#disk.#countInodes(inodes);
  }

  /** The last link went: the layer gets the bytes back. */
  release(inode: Inode): void {
    inode.links -= 1;
    if (inode.links > 0) return;
    leaveAccount(inode);
    if (inode instanceof FileInode && inode.fileSystem === this) inode.free();
    if (!inode.isCounted) return;
    this.back(-inodeBytes);
    this.#countInodes(-1);
    inode.isCounted = false;
  }
}

/** Files that are kept in memory are no longer held for whoever wrote them. */
function freeBelow(directory: DirectoryInode): void {
  if (directory.shared) return;
  for (const name of directory.names(rootCaller)) {
    const inode = directory.lookup(name, rootCaller);
    if (inode instanceof DirectoryInode) freeBelow(inode);
    else if (inode instanceof FileInode && !inode.shared) inode.free();
  }
}

/** Builds the shared inodes of an image. `programId` names each program for its copies (see `exec.ts`). */
export function sharedTree(
  files: FileTree,
  makeProgramContent: (entry: TreeEntry & { readonly type: "program" }) => string,
): DirectoryInode {
  let nextId = 1;
  const attributes = (entry: TreeEntry | undefined, permissions: number) => ({
    id: nextId++,
    permissions: entry?.permissions ?? permissions,
    uid: entry?.uid ?? 0,
    gid: entry?.gid ?? 0,
    modifiedMs: imageTimeMs,
    shared: true,
  });
  const root = new DirectoryInode(attributes(files.get("/"), 0o755));
  const directory = (path: string): DirectoryInode => {
    if (path === "") return root;
    const cut = path.lastIndexOf("/");
    const parent = directory(path.slice(0, cut));
    const name = path.slice(cut + 1);
    const known = parent.lookup(name, rootCaller);
    if (known instanceof DirectoryInode) return known;
    const made = new DirectoryInode(attributes(files.get(path), 0o755));
    parent.set(name, made);
    return made;
  };
  for (const [path, entry] of files) {
    if (path === "/") continue;
    if (entry.type === "directory") {
      directory(path);
      continue;
    }
    const cut = path.lastIndexOf("/");
    directory(path.slice(0, cut)).set(path.slice(cut + 1), sharedInode(entry, attributes, makeProgramContent));
  }
  return root;
}

/** Files of images carry one date, as reproducible builds do: 2026-01-01T00:00:00Z. */
const imageTimeMs = 1_767_225_600_000;

function sharedInode(
  entry: Exclude<TreeEntry, { readonly type: "directory" }>,
  attributes: (entry: TreeEntry, permissions: number) => ConstructorParameters<typeof SpecialInode>[0],
  makeProgramContent: (entry: TreeEntry & { readonly type: "program" }) => string,
): Inode {
  switch (entry.type) {
    case "file":
      return new FileInode(attributes(entry, 0o644), { content: entry.content });
    case "made": {
      const file = new FileInode(attributes(entry, 0o644), {});
      file.provide(entry.make);
      return file;
    }
    case "program":
      return new FileInode(attributes(entry, 0o755), {
        content: makeProgramContent(entry),
        program: entry.program,
        declaredSizeBytes: entry.sizeBytes,
      });
    case "symlink":
      return new SymlinkInode(attributes(entry, 0o777), entry.target);
  }
}
