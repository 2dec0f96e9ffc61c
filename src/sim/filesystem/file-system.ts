// One layer of storage: an in-memory tree, above an image's immutable tree or above nothing (tmpfs, a node's disk).

import { SysError } from "../errors.ts";
import type { FileTree, TreeEntry } from "../files.ts";
import { type Caller, DirectoryInode, FileInode, type Inode, type SpecialInode, SymlinkInode } from "./inode.ts";

export type FileSystemType = "overlay" | "tmpfs" | "ext4" | "proc" | "devtmpfs" | "sysfs";

export const rootCaller: Caller = { uid: 0, gid: 0, groups: [] };

export class FileSystem {
  readonly type: FileSystemType;
  /** What /proc/mounts names as the device. */
  readonly source: string;
  /** Beyond it writes fail with ENOSPC. */
  limitBytes: number | undefined;
  #root: DirectoryInode;
  #usedBytes = 0;
  #nextInode: number;

  constructor(options: {
    readonly type: FileSystemType;
    readonly source?: string;
    readonly lower?: DirectoryInode;
    readonly limitBytes?: number;
    readonly rootPermissions?: number;
    readonly nowMs?: number;
  }) {
    this.type = options.type;
    this.source = options.source ?? options.type;
    this.limitBytes = options.limitBytes;
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

  /** Bytes of file content in this layer, without the image beneath: what ephemeral-storage limits count. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Throws ENOSPC when the layer is full. */
  charge(bytes: number): void {
    if (bytes > 0 && this.limitBytes !== undefined && this.#usedBytes + bytes > this.limitBytes) throw new SysError("ENOSPC");
    this.#usedBytes += bytes;
  }

  /** The root, as an inode of this layer that may be changed. */
  ownRoot(): DirectoryInode {
    if (this.#root.shared) this.#root = this.copyUp(this.#root) as DirectoryInode;
    return this.#root;
  }

  nextInodeId(): number {
    return this.#nextInode++;
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

  /** The last link went: the layer gets the bytes back. */
  release(inode: Inode): void {
    inode.links -= 1;
    if (inode.links <= 0 && inode instanceof FileInode && inode.fileSystem === this) this.#usedBytes -= inode.sizeBytes;
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
