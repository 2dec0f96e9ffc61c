// What a file system is made of. An image's inodes are shared by every container made from it (`shared`): they are never
// changed; a writer first copies them up into its own layer (overlayfs' rule), directory by directory.

import { type Bytes, decodeUtf8, encodeUtf8, noBytes } from "../bytes.ts";
import { SysError } from "../errors.ts";
import type { FileType, OpenMode } from "../files.ts";
import { type Capabilities, isCapable, type Restrictions } from "../process/capabilities.ts";
import type { ControlGroup } from "../process/control-group.ts";
import type { OpenFile } from "../process/descriptors.ts";
import type { KernelProcess } from "../process/process.ts";
import { isMapped, ownIdOf, type UserNamespace } from "../process/user-namespace.ts";
import type { Program } from "../program.ts";
import { type Entries, eachEntry, entryOf, noEntries, withEntry, withoutEntry } from "./entries.ts";
import type { FileSystem } from "./file-system.ts";
import type { MountNamespace } from "./mounts.ts";
import { PagedContent, pageBytes } from "./paged-content.ts";
import { allocatedBytes, blockBytes, type StorageAccount } from "./storage-account.ts";

/** Who asks: decides permissions, and what /proc/self is. */
export interface Caller {
  readonly uid: number;
  readonly gid: number;
  /** Supplementary groups. */
  readonly groups: readonly number[];
  /** Absent: the machine's. */
  readonly userNamespace?: UserNamespace | undefined;
  /** What root may do; absent: everything. */
  readonly bounding?: Capabilities;
  readonly restrictions?: Restrictions | undefined;
}

/** Who writes: pays for files that are kept in memory. */
export type Writer = Pick<Partial<KernelProcess>, "controlGroup">;

export interface InodeAttributes {
  readonly id: number;
  readonly permissions: number;
  readonly uid: number;
  readonly gid: number;
  readonly modifiedMs: number;
  readonly shared: boolean;
  readonly isOfMachine?: boolean;
}

/** Of what the kernel shows as files in /proc and /sys/fs/cgroup: root's, and without a time. */
export function kernelAttributes(permissions: number): InodeAttributes {
  return { id: 1, permissions, uid: 0, gid: 0, modifiedMs: 0, shared: true, isOfMachine: true };
}

class BaseInode {
  readonly id: number;
  permissions: number;
  uid: number;
  gid: number;
  modifiedMs: number;
  links = 1;
  /** The world's store of files counts it as an entry. */
  isCounted = false;
  /** Of the directory tree that it is counted with. */
  account: StorageAccount | undefined;
  /** Part of an immutable tree that others use too. */
  readonly shared: boolean;
  /**
   * Owner and group are the machine's: of /proc, /sys/fs/cgroup and devices. All other files are told with the IDs of whoever looks, for
   * volumes and layers are mounted with the IDs of their container (mount_setattr(2), "ID-mapped mounts").
   */
  readonly isOfMachine: boolean;

  constructor(attributes: InodeAttributes) {
    this.id = attributes.id;
    this.permissions = attributes.permissions;
    this.uid = attributes.uid;
    this.gid = attributes.gid;
    this.modifiedMs = attributes.modifiedMs;
    this.shared = attributes.shared;
    this.isOfMachine = attributes.isOfMachine === true;
  }

  /** On the disk, in whole blocks. */
  get allocatedBytes(): number {
    return 0;
  }
}

/** Larger content is kept in pages. */
const pagedAboveBytes = 4 * pageBytes;
/** Larger content is never put together in one piece. */
const maximumWholeBytes = 64 * 1024 ** 2;

/** Room of a file that is appended to. */
const leastGrownBytes = 1024;

export class FileInode extends BaseInode {
  /** The layer that pays for the content; undefined for shared inodes. */
  readonly fileSystem: FileSystem | undefined;
  /** What runs when the file is executed; survives as a marker in the content when copied (see `exec.ts`). */
  program: Program | undefined;
  #content: Bytes | string;
  /** Makes the content when somebody first looks at it, or writes the rest of it. */
  #make: (() => string) | { readonly bring: () => void } | undefined;
  #text: string | undefined;
  #sizeBytes: number;
  /** The content belongs to another inode until the first write. */
  #borrowed: boolean;
  #declaredSizeBytes: number | undefined;
  /** The content, once it is large. */
  #pages: PagedContent | undefined;
  /** What of the layer's storage it takes. */
  #backedBytes = 0;
  /** Of the first who wrote to it, when the file is kept in memory. */
  #payer: ControlGroup | undefined;
  /** Counts changes of the content: whoever looks often compares this. */
  version = 0;

  constructor(
    attributes: InodeAttributes,
    options: {
      readonly content?: Bytes | string;
      readonly program?: Program | undefined;
      readonly declaredSizeBytes?: number | undefined;
      readonly fileSystem?: FileSystem;
    },
  ) {
    super(attributes);
    this.fileSystem = options.fileSystem;
    this.program = options.program;
    this.#content = options.content ?? noBytes;
    this.#sizeBytes = typeof this.#content === "string" ? -1 : this.#content.length;
    this.#declaredSizeBytes = options.declaredSizeBytes;
    this.#borrowed = true;
  }

  get type(): FileType {
    return "file";
  }

  get sizeBytes(): number {
    if (this.#declaredSizeBytes !== undefined) return this.#declaredSizeBytes;
    if (typeof this.#make === "object") this.#settle();
    if (this.#pages !== undefined) return this.#pages.sizeBytes;
    if (this.#sizeBytes < 0) this.content();
    return this.#sizeBytes;
  }

  override get allocatedBytes(): number {
    return allocatedBytes(this.sizeBytes);
  }

  /** The content, which must not be changed nor kept over a write. Throws ENOMEM when it is too large to be in one piece. */
  content(): Bytes {
    this.#settle();
    if (this.#pages !== undefined) {
      if (this.#pages.sizeBytes > maximumWholeBytes) throw new SysError("ENOMEM");
      return this.#pages.joined();
    }
    if (typeof this.#content === "string") {
      this.#content = encodeUtf8(this.#content);
      this.#sizeBytes = this.#content.length;
    }
    return this.#content.length === this.#sizeBytes ? this.#content : this.#content.subarray(0, this.#sizeBytes);
  }

  /** The content as text; that of an image's file, which never changes, is decoded once. */
  text(): string {
    this.#settle();
    if (typeof this.#content === "string") return this.#content;
    if (this.#text !== undefined) return this.#text;
    const text = decodeUtf8(this.content());
    if (this.shared) this.#text = text;
    return text;
  }

  /**
   * The content is what `make` answers when it is first looked at; the layer does not pay for it here. `draft`: what that is made of,
   * ASCII and just as long, for those who know of it.
   */
  provide(make: () => string, draft = ""): void {
    this.truncate(0);
    this.#make = make;
    this.#content = draft;
    this.#sizeBytes = draft === "" ? -1 : draft.length;
  }

  /** `bring` writes what is still to come: it is called before anybody looks at the content or changes it. */
  provideRest(bring: () => void): void {
    this.#settle();
    this.#make = { bring };
    this.version += 1;
  }

  /** The draft of content that nobody has looked at; otherwise the content. */
  draft(): string {
    return this.#make !== undefined && typeof this.#content === "string" && this.#content !== "" ? this.#content : this.text();
  }

  #settle(): void {
    const make = this.#make;
    if (make === undefined) return;
    if (typeof make === "function") {
      this.#content = make();
      this.#borrowed = true;
      this.#make = undefined;
    } else {
      this.#make = undefined;
      make.bring();
    }
  }

  /** A private copy in another layer; the bytes are shared until one of the two writes. */
  copyUp(attributes: InodeAttributes, fileSystem: FileSystem): FileInode {
    const text = typeof this.#content === "string" && this.#make === undefined ? this.#content : this.#text;
    const copy = new FileInode(attributes, {
      content: this.content(),
      program: this.program,
      declaredSizeBytes: this.#declaredSizeBytes,
      fileSystem,
    });
    copy.#text = text;
    fileSystem.charge(copy.sizeBytes);
    return copy;
  }

  /** A copy of at most `maxBytes` of the content; fewer may come before its end. */
  read(offset: number, maxBytes: number): Bytes {
    this.#settle();
    return this.#pages?.read(offset, maxBytes) ?? this.content().slice(offset, offset + maxBytes);
  }

  /** Throws ENOSPC. */
  write(offset: number, data: Bytes, writer?: Writer): void {
    const end = offset + data.length;
    const sizeBytes = Math.max(end, this.contentBytes);
    this.#beforeChange(sizeBytes, writer);
    this.fileSystem?.writeBack?.hand(data.length);
    if (sizeBytes > pagedAboveBytes) {
      const pages = this.#asPages();
      this.#back(pages.backedBytes + data.length + 2 * pageBytes);
      pages.write(offset, data);
      this.#back(pages.backedBytes);
      return;
    }
    this.#back(sizeBytes);
    this.#makeOwn(sizeBytes, end);
    (this.#content as Bytes).set(data, offset);
  }

  truncate(sizeBytes: number, writer?: Writer): void {
    this.#beforeChange(sizeBytes, writer);
    if (sizeBytes > pagedAboveBytes) {
      const pages = this.#asPages();
      pages.truncate(sizeBytes);
      this.#back(pages.backedBytes);
      return;
    }
    this.#back(sizeBytes);
    this.#makeOwn(sizeBytes, sizeBytes);
  }

  /** Bytes that reads give: not what an image says of its programs. */
  get contentBytes(): number {
    if (typeof this.#make === "object") this.#settle();
    if (this.#pages !== undefined) return this.#pages.sizeBytes;
    if (this.#sizeBytes < 0 || typeof this.#content === "string") this.content();
    return this.#sizeBytes;
  }

  /** The last link went: what it took is given back. */
  free(): void {
    this.fileSystem?.charge(-this.sizeBytes);
    this.#payer?.chargeMemory(-this.sizeBytes, undefined);
    this.#payer = undefined;
    this.#back(0);
  }

  #asPages(): PagedContent {
    if (this.#pages === undefined) {
      const before = this.content();
      this.#pages = new PagedContent();
      this.#pages.write(0, before);
      this.#content = noBytes;
    }
    return this.#pages;
  }

  #back(bytes: number): void {
    this.fileSystem?.back(bytes - this.#backedBytes);
    this.#backedBytes = bytes;
  }

  /** Has the new size paid for: on the disk, or as memory of whoever writes. */
  #beforeChange(sizeBytes: number, writer: Writer | undefined): void {
    const before = this.sizeBytes;
    const grows = sizeBytes - before;
    this.fileSystem?.charge(grows);
    if (this.fileSystem?.type === "tmpfs") this.#chargeMemory(grows, writer);
    if (this.account !== undefined) this.account.usedBytes += allocatedBytes(sizeBytes) - allocatedBytes(before);
    this.version += 1;
    this.program = undefined;
    this.#text = undefined;
    this.#declaredSizeBytes = undefined;
  }

  #chargeMemory(bytes: number, writer: Writer | undefined): void {
    this.#payer ??= writer?.controlGroup;
    try {
      this.#payer?.chargeMemory(bytes, writer as KernelProcess | undefined);
    } catch (error) {
      this.fileSystem?.charge(-bytes);
      this.#payer?.chargeMemory(-bytes, undefined);
      throw error;
    }
  }

  /** Makes the content own and long enough, in one buffer. */
  #makeOwn(sizeBytes: number, neededBytes: number): void {
    if (this.#pages !== undefined) {
      this.#pages.truncate(Math.min(sizeBytes, this.#pages.sizeBytes));
      this.#content = this.#pages.joined();
      this.#sizeBytes = this.#content.length;
      this.#pages = undefined;
      this.#borrowed = false;
    }
    const before = this.content();
    const buffer = this.#content as Bytes;
    if (this.#borrowed || buffer.length < neededBytes) {
      const spare = before.length === 0 ? 0 : Math.max(leastGrownBytes, Math.min(before.length * 2, before.length + 1_048_576));
      const capacity = sizeBytes <= before.length ? sizeBytes : Math.max(sizeBytes, spare);
      const grown = new Uint8Array(capacity);
      grown.set(before.subarray(0, Math.min(before.length, sizeBytes)));
      this.#content = grown;
      this.#borrowed = false;
    } else if (sizeBytes < before.length) {
      buffer.fill(0, sizeBytes, before.length);
    }
    this.#sizeBytes = sizeBytes;
  }
}

export class SymlinkInode extends BaseInode {
  readonly target: string;

  constructor(attributes: InodeAttributes, target: string) {
    super(attributes);
    this.target = target;
  }

  get type(): FileType {
    return "symlink";
  }

  /** Where it leads for this caller. */
  targetFor(_caller: Caller): string {
    return this.target;
  }

  /** Whose tree it leads into (/proc/<pid>/root, …/cwd), and how paths in there begin for the caller; `targetFor` is a path in it. */
  treeFor(_caller: Caller): { readonly namespace: MountNamespace; readonly seenAt: string } | undefined {
    return undefined;
  }

  /** An open file that it stands for (/proc/<pid>/fd/…), instead of a path. */
  openFileFor(_caller: Caller): OpenFile | undefined {
    return undefined;
  }
}

/** A device, a named pipe, or a file whose content is made when it is opened (/proc). */
export class SpecialInode extends BaseInode {
  readonly type: FileType;
  readonly open: (caller: Caller, mode: OpenMode) => OpenFile;
  /** Whether it can be written is its own to say, not its mount's. */
  decidesItself?: boolean;

  constructor(
    attributes: InodeAttributes,
    type: "character" | "fifo" | "file" | "socket",
    open: (caller: Caller, mode: OpenMode) => OpenFile,
  ) {
    super(attributes);
    this.type = type;
    this.open = open;
  }
}

/** What listens at a Unix socket: who connects calls it. */
export interface SocketService {
  /** Whoever listened is gone. */
  closed?(): void;
}

/** A Unix socket (unix(7)). What goes over it is calls here, not bytes. */
export class SocketInode extends SpecialInode {
  /** Undefined: nobody listens any more. */
  service: SocketService | undefined;

  constructor(attributes: InodeAttributes, service: SocketService) {
    super(attributes, "socket", () => {
      throw new SysError("ENXIO");
    });
    this.service = service;
  }

  close(): void {
    const { service } = this;
    this.service = undefined;
    service?.closed?.();
  }
}

export class DirectoryInode extends BaseInode {
  /** The image's directory beneath this one. */
  readonly #lower: DirectoryInode | undefined;
  /** null: removed, whatever is beneath. */
  #children: Entries<Inode | null> | (() => void) = noEntries;
  /** Counts changes of the entries (not of what they lead to): whoever looks often compares this. */
  version = 0;

  constructor(attributes: InodeAttributes, lower?: DirectoryInode) {
    super(attributes);
    this.#lower = lower;
  }

  get type(): FileType {
    return "directory";
  }

  override get allocatedBytes(): number {
    return blockBytes;
  }

  /** `make` puts into it what nobody has looked for yet; what that is must not depend on when it is made. */
  provide(make: () => void): void {
    this.#children = make;
    this.version += 1;
  }

  get #entries(): Entries<Inode | null> {
    if (typeof this.#children !== "function") return this.#children;
    const { version } = this;
    const make = this.#children;
    this.#children = noEntries;
    make();
    this.version = version;
    return this.#entries;
  }

  lookup(name: string, caller: Caller): Inode | undefined {
    const own = entryOf(this.#entries, name);
    if (own !== undefined) return own ?? undefined;
    return this.#lower?.lookup(name, caller);
  }

  /** Sorted by code unit. */
  names(caller: Caller): readonly string[] {
    const entries = this.#entries;
    if (entries === noEntries) return this.#lower?.names(caller) ?? [];
    const names = new Set(this.#lower?.names(caller));
    for (const [name, inode] of eachEntry(entries)) {
      if (inode === null) names.delete(name);
      else names.add(name);
    }
    return [...names].sort();
  }

  /** Entries that are not an image's. */
  *ownChildren(): Generator<Inode, void, undefined> {
    for (const [, inode] of eachEntry(this.#entries)) if (inode !== null) yield inode;
  }

  set(name: string, inode: Inode): void {
    this.#put(name, inode);
  }

  remove(name: string, caller: Caller): void {
    if (this.#lower?.lookup(name, caller) !== undefined) this.#put(name, null);
    else {
      this.#children = withoutEntry(this.#entries, name);
      this.version += 1;
    }
  }

  #put(name: string, inode: Inode | null): void {
    this.#children = withEntry(this.#entries, name, inode);
    this.version += 1;
  }
}

export type Inode = FileInode | DirectoryInode | SymlinkInode | SpecialInode;

/** Throws EACCES unless the caller has the wanted bits (4 read, 2 write, 1 execute or search). */
export function checkAccess(inode: Inode, caller: Caller, wanted: number): void {
  if (!mayAccess(inode, caller, wanted)) throw new SysError("EACCES");
}

export function mayAccess(inode: Inode, caller: Caller, wanted: number): boolean {
  // Whoever it is: what paths lead through mostly lets everybody pass.
  if (wanted === 1 && (inode.permissions & 0o111) === 0o111) return true;
  if (isPrivilegedOver(inode, caller, "DAC_OVERRIDE")) {
    if ((wanted & 1) === 0 || inode.type === "directory" || (inode.permissions & 0o111) !== 0) return true;
  } else if (isPrivilegedOver(inode, caller, "DAC_READ_SEARCH")) {
    if (wanted === 4 || (inode.type === "directory" && (wanted & 2) === 0)) return true;
  }
  if ((wanted & 2) !== 0 && isOfNobody(inode, caller)) return false;
  return ((inode.permissions >> shiftFor(inode, caller)) & wanted) === wanted;
}

/** To the bits that are the caller's: the owner's, the group's or all others'. */
function shiftFor(inode: Inode, caller: Caller): number {
  const { uid, gid } = ownersFor(inode, caller);
  if (uid === caller.uid) return 6;
  return gid !== undefined && (gid === caller.gid || caller.groups.includes(gid)) ? 3 : 0;
}

/** In the caller's user namespace; undefined: nobody there. */
export function ownersFor(
  inode: Inode,
  { userNamespace }: Caller,
): { readonly uid: number | undefined; readonly gid: number | undefined } {
  if (userNamespace === undefined) return inode;
  const own = (id: number): number | undefined => {
    if (inode.isOfMachine) return ownIdOf(id, userNamespace);
    return isMapped(id, userNamespace) ? id : undefined;
  };
  return { uid: own(inode.uid), gid: own(inode.gid) };
}

/** Whether the caller has a capability and it counts for the file: owner and group are of its namespace (capable_wrt_inode_uidgid). */
export function isPrivilegedOver(inode: Inode, caller: Caller, capability: string): boolean {
  if (!isCapable(caller, capability)) return false;
  const { uid, gid } = ownersFor(inode, caller);
  return uid !== undefined && gid !== undefined;
}

/** A mount with mapped IDs has none for the owner or the group: then nobody changes the file (fs/namei.c: HAS_UNMAPPED_ID). */
export function isOfNobody({ isOfMachine, uid, gid }: Inode, { userNamespace }: Caller): boolean {
  return !isOfMachine && !(isMapped(uid, userNamespace) && isMapped(gid, userNamespace));
}
