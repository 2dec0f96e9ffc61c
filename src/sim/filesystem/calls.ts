// The file system calls by path, for a process or for whoever acts on a mount namespace from outside (the kubelet, checks).

import { SysError } from "../errors.ts";
import type { FileStat, OpenMode } from "../files.ts";
import type { OpenFile } from "../process/descriptors.ts";
import { isMapped } from "../process/user-namespace.ts";
import type { FileSystem } from "./file-system.ts";
import {
  type Caller,
  checkAccess,
  DirectoryInode,
  FileInode,
  type Inode,
  type InodeAttributes,
  isOfNobody,
  isPrivilegedOver,
  ownersFor,
  SocketInode,
  type SocketService,
  SpecialInode,
  SymlinkInode,
  type Writer,
} from "./inode.ts";
import type { MountNamespace, Resolved } from "./mounts.ts";
import { RegularFile } from "./regular-file.ts";
import { statOf } from "./stat.ts";
import { enterAccount } from "./storage-account.ts";

/** In whose name, and from where, paths are walked. */
export interface FileContext extends Caller, Writer {
  readonly mountNamespace: MountNamespace;
  readonly cwd: string;
  readonly umaskBits: number;
  readonly nowMs: number;
}

export function resolveExisting(context: FileContext, path: string, follow: boolean, change = false): Resolved & { inode: Inode } {
  const resolved = context.mountNamespace.resolve(context, context.cwd, path, { follow, change });
  if (resolved.inode === undefined) throw new SysError("ENOENT");
  return resolved as Resolved & { inode: Inode };
}

export function openAt(context: FileContext, path: string, mode: OpenMode, permissions = 0o666): OpenFile {
  const writes = mode.write === true || mode.append === true;
  const change = writes || mode.create === true || mode.truncate === true;
  let resolved = resolveToOpen(context, path, mode.exclusive !== true, change);
  if (resolved.inode === undefined) {
    if (mode.create !== true) throw new SysError("ENOENT");
    const fileSystem = checkedParent(context, resolved);
    const inode = new FileInode(attributesIn(context, resolved, permissions & ~context.umaskBits), { fileSystem });
    fileSystem.countEntry(inode);
    insert(context, resolved, inode);
    return new RegularFile(inode, resolved.path, mode, context);
  }
  if (mode.create === true && mode.exclusive === true) throw new SysError("EEXIST");
  const { inode } = resolved;
  if (inode instanceof SymlinkInode) {
    const file = inode.openFileFor(context);
    if (file !== undefined) return file;
    resolved = resolveExisting(context, path, true, change);
  }
  checkAccess(inode, context, (mode.read === true || !writes ? 4 : 0) | (writes ? 2 : 0));
  if (inode instanceof SpecialInode) {
    // What is written to a device goes elsewhere.
    if (writes && inode.type === "file" && inode.decidesItself !== true) checkWritable(resolved);
    return inode.open(context, mode);
  }
  if (inode instanceof DirectoryInode) {
    if (writes) throw new SysError("EISDIR");
    return new RegularFile(inode, resolved.path, mode, context);
  }
  if (mode.directory === true) throw new SysError("ENOTDIR");
  if (writes || mode.truncate === true) checkWritable(resolved);
  if (!(inode instanceof FileInode)) throw new SysError("ELOOP");
  if (mode.truncate === true && writes) {
    inode.truncate(0);
    inode.modifiedMs = context.nowMs;
  }
  return new RegularFile(inode, resolved.path, mode, context);
}

/** To be changed is where a path ends: links and directories on the way to a device (`/var/log/nginx/access.log`) stay the image's. */
function resolveToOpen(context: FileContext, path: string, follow: boolean, change: boolean): Resolved {
  const { mountNamespace, cwd } = context;
  const seen = mountNamespace.resolve(context, cwd, path, { follow, change: false });
  const isInPlace = seen.inode instanceof SpecialInode || seen.inode instanceof SymlinkInode || seen.inode?.shared === false;
  return isInPlace || !change ? seen : mountNamespace.resolve(context, cwd, path, { follow, change });
}

export function statAt(context: FileContext, path: string, follow: boolean): FileStat {
  return statOf(resolveExisting(context, path, follow).inode, context);
}

/** Undefined when the path leads nowhere: for those who look in one place after another, to whom an error is no news. */
export function statIfThere(context: FileContext, path: string): FileStat | undefined {
  const inode = inodeIfThere(context, path);
  return inode === undefined ? undefined : statOf(inode, context);
}

/** Whether the path leads to something: no `stat`, whose size would make a content that is made when first looked at. */
export function existsAt(context: FileContext, path: string): boolean {
  return inodeIfThere(context, path) !== undefined;
}

function inodeIfThere(context: FileContext, path: string): Inode | undefined {
  const end = context.mountNamespace.walk(context, context.cwd, path, { follow: true, change: false });
  return typeof end === "string" ? undefined : end.inode;
}

export function readdirAt(context: FileContext, path: string): readonly string[] {
  const resolved = resolveExisting(context, path, true);
  if (!(resolved.inode instanceof DirectoryInode)) throw new SysError("ENOTDIR");
  checkAccess(resolved.inode, context, 4);
  const names = resolved.inode.names(context);
  const mounted = resolved.namespace.mountedNames(resolved.place);
  return mounted.length === 0 ? names : [...new Set([...names, ...mounted])].sort();
}

export function readlinkAt(context: FileContext, path: string): string {
  const { inode } = resolveExisting(context, path, false);
  if (!(inode instanceof SymlinkInode)) throw new SysError("EINVAL");
  return inode.targetFor(context);
}

export function mkdirAt(context: FileContext, path: string, permissions = 0o777): void {
  const resolved = walkToEntry(context, path);
  if (resolved.inode !== undefined) throw new SysError("EEXIST");
  const fileSystem = checkedParent(context, resolved);
  const inode = new DirectoryInode(attributesIn(context, resolved, (permissions & ~context.umaskBits) | groupBitOf(resolved)));
  fileSystem.countEntry(inode);
  insert(context, resolved, inode);
}

/** `open` opens what the name stands for. */
export function mkfifoAt(context: FileContext, path: string, open: SpecialInode["open"], permissions = 0o666): void {
  const resolved = walkToEntry(context, path);
  if (resolved.inode !== undefined) throw new SysError("EEXIST");
  const fileSystem = checkedParent(context, resolved);
  const inode = new SpecialInode(attributesIn(context, resolved, permissions & ~context.umaskBits), "fifo", open);
  fileSystem.countEntry(inode);
  insert(context, resolved, inode);
}

/** bind(2) and listen(2) of a Unix socket. */
export function bindSocketAt(context: FileContext, path: string, service: SocketService, permissions = 0o777): SocketInode {
  const resolved = walkToEntry(context, path);
  if (resolved.inode !== undefined) throw new SysError("EADDRINUSE");
  const fileSystem = checkedParent(context, resolved);
  const inode = new SocketInode(attributesIn(context, resolved, permissions & ~context.umaskBits), service);
  fileSystem.countEntry(inode);
  insert(context, resolved, inode);
  return inode;
}

/** connect(2) to a Unix socket: what listens there. */
export function connectSocketAt(context: FileContext, path: string): SocketService {
  const { inode } = resolveExisting(context, path, true);
  checkAccess(inode, context, 2);
  if (!(inode instanceof SocketInode) || inode.service === undefined) throw new SysError("ECONNREFUSED");
  return inode.service;
}

export function symlinkAt(context: FileContext, target: string, path: string): void {
  const resolved = walkToEntry(context, path);
  if (resolved.inode !== undefined) throw new SysError("EEXIST");
  const fileSystem = checkedParent(context, resolved);
  const inode = new SymlinkInode(attributesIn(context, resolved, 0o777), target);
  fileSystem.countEntry(inode);
  insert(context, resolved, inode);
}

export function linkAt(context: FileContext, target: string, path: string): void {
  const source = resolveExisting(context, target, false, true);
  if (source.inode instanceof DirectoryInode) throw new SysError("EPERM");
  const resolved = walkToEntry(context, path);
  if (resolved.inode !== undefined) throw new SysError("EEXIST");
  checkedParent(context, resolved);
  if (resolved.mount !== source.mount) throw new SysError("EXDEV");
  source.inode.links += 1;
  // It stays counted where its first name is.
  put(context, resolved, source.inode);
}

export function unlinkAt(context: FileContext, path: string): void {
  const resolved = existingEntry(context, path);
  if (resolved.inode instanceof DirectoryInode) throw new SysError("EISDIR");
  removeEntry(context, resolved);
}

export function rmdirAt(context: FileContext, path: string): void {
  const resolved = existingEntry(context, path);
  if (!(resolved.inode instanceof DirectoryInode)) throw new SysError("ENOTDIR");
  if (resolved.inode.names(context).length > 0 || resolved.namespace.mountedNames(resolved.place).length > 0) {
    throw new SysError("ENOTEMPTY");
  }
  removeEntry(context, resolved);
}

/** rename(2): replaces a file or symbolic link at `to` in one step. */
export function renameAt(context: FileContext, from: string, to: string): void {
  const source = existingEntry(context, from);
  const target = walkToEntry(context, to);
  if (source.mount !== target.mount) throw new SysError("EXDEV");
  if (source.inode === target.inode) return;
  if (target.path.startsWith(`${source.path}/`)) throw new SysError("EINVAL");
  checkedParent(context, target);
  if (target.inode !== undefined) {
    if (target.inode instanceof DirectoryInode) {
      if (!(source.inode instanceof DirectoryInode)) throw new SysError("EISDIR");
      if (target.inode.names(context).length > 0) throw new SysError("ENOTEMPTY");
    } else if (source.inode instanceof DirectoryInode) throw new SysError("ENOTDIR");
    checkSticky(context, target);
    target.mount.fileSystem.release(target.inode);
  }
  checkMovable(context, source);
  checkedParent(context, source);
  source.parent?.remove(source.name, context);
  insert(context, target, source.inode);
}

export function chmodAt(context: FileContext, path: string, permissions: number): void {
  const inode = changeable(context, path);
  if (isOfNobody(inode, context)) throw new SysError("EOVERFLOW");
  if (!isOwn(inode, context)) throw new SysError("EPERM");
  inode.permissions = permissions & 0o7777;
}

/** -1 leaves an owner, or a group, as it is (chown(2)). */
export function chownAt(context: FileContext, path: string, newUid: number, newGid: number): void {
  const inode = changeable(context, path);
  const uid = newUid === -1 ? inode.uid : newUid;
  const gid = newGid === -1 ? inode.gid : newGid;
  if (!(isMapped(uid, context.userNamespace) && isMapped(gid, context.userNamespace))) throw new SysError("EINVAL");
  const isFree = isPrivilegedOver(inode, context, "CHOWN") || (isOwn(inode, context) && uid === context.uid);
  if (!isFree) throw new SysError("EPERM");
  inode.uid = uid;
  inode.gid = gid;
}

export function utimesAt(context: FileContext, path: string, modifiedMs: number): void {
  const inode = changeable(context, path);
  if (!isOwn(inode, context)) checkAccess(inode, context, 2);
  inode.modifiedMs = modifiedMs;
}

export function truncateAt(context: FileContext, path: string, sizeBytes: number): void {
  const inode = changeable(context, path);
  checkAccess(inode, context, 2);
  if (!(inode instanceof FileInode)) throw new SysError("EISDIR");
  inode.truncate(sizeBytes, context);
  inode.modifiedMs = context.nowMs;
}

/** The directory that `chdir` leads to, as a canonical path. */
export function directoryAt(context: FileContext, path: string): string {
  const resolved = resolveExisting(context, path, true);
  if (!(resolved.inode instanceof DirectoryInode)) throw new SysError("ENOTDIR");
  checkAccess(resolved.inode, context, 1);
  return resolved.path;
}

/** The caller is its owner, or may act as if. */
function isOwn(inode: Inode, context: FileContext): boolean {
  return isPrivilegedOver(inode, context, "FOWNER") || ownersFor(inode, context).uid === context.uid;
}

function changeable(context: FileContext, path: string): Inode {
  const resolved = resolveExisting(context, path, true, true);
  checkWritable(resolved);
  return resolved.inode;
}

function walkToEntry(context: FileContext, path: string): Resolved {
  const trimmed = path.length > 1 && path.endsWith("/") ? path.replace(/\/+$/, "") : path;
  return context.mountNamespace.resolve(context, context.cwd, trimmed, { follow: false, change: true });
}

function existingEntry(context: FileContext, path: string): Resolved & { inode: Inode } {
  const resolved = walkToEntry(context, path);
  if (resolved.inode === undefined) throw new SysError("ENOENT");
  if (resolved.parent === undefined || resolved.namespace.isMountPoint(resolved.place)) throw new SysError("EBUSY");
  return resolved as Resolved & { inode: Inode };
}

function checkWritable(resolved: Resolved): void {
  if (resolved.mount.readOnly === true) throw new SysError("EROFS");
}

/** The file system that an entry may be made in, or removed from. */
function checkedParent(context: FileContext, resolved: Resolved): FileSystem {
  checkWritable(resolved);
  const { parent } = resolved;
  if (parent === undefined) throw new SysError("EBUSY");
  checkAccess(parent, context, 3);
  if (parent.shared) throw new SysError("EROFS");
  return resolved.mount.fileSystem;
}

/** fs/namei.c: may_delete */
function checkMovable(context: FileContext, resolved: Resolved & { inode: Inode }): void {
  if (isOfNobody(resolved.inode, context)) throw new SysError("EOVERFLOW");
  checkSticky(context, resolved);
}

function checkSticky(context: FileContext, { parent, inode }: Resolved): void {
  if (parent === undefined || inode === undefined || (parent.permissions & 0o1000) === 0) return;
  if (!isOwn(inode, context) && ownersFor(parent, context).uid !== context.uid) throw new SysError("EPERM");
}

/** Of a new entry: in a directory with the set-group-ID bit it has the directory's group (inode_init_owner). */
function attributesIn(context: FileContext, resolved: Resolved, permissions: number): InodeAttributes {
  const attributes = resolved.mount.fileSystem.newAttributes(context, permissions, context.nowMs);
  return groupBitOf(resolved) === 0 ? attributes : { ...attributes, gid: (resolved.parent as DirectoryInode).gid };
}

function groupBitOf({ parent }: Resolved): number {
  return (parent?.permissions ?? 0) & 0o2000;
}

function insert(context: FileContext, resolved: Resolved, inode: Inode): void {
  enterAccount(inode, resolved.parent as DirectoryInode);
  put(context, resolved, inode);
}

function put(context: FileContext, resolved: Resolved, inode: Inode): void {
  const parent = resolved.parent as DirectoryInode;
  parent.set(resolved.name, inode);
  parent.modifiedMs = context.nowMs;
}

function removeEntry(context: FileContext, resolved: Resolved & { inode: Inode }): void {
  const fileSystem = checkedParent(context, resolved);
  checkMovable(context, resolved);
  resolved.parent?.remove(resolved.name, context);
  (resolved.parent as DirectoryInode).modifiedMs = context.nowMs;
  fileSystem.release(resolved.inode);
}
