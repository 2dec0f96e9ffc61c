// A mount namespace's files from outside of any process, as root: the kubelet's volumes and manifests, lab set-up, checks.

import { type Bytes, encodeUtf8 } from "../bytes.ts";
import { SysError } from "../errors.ts";
import type { FileStat } from "../files.ts";
import type { Simulation } from "../simulation.ts";
import * as calls from "./calls.ts";
import { DirectoryInode, FileInode, type Inode, type SocketService } from "./inode.ts";
import type { Mount, MountNamespace } from "./mounts.ts";
import { RegularFile } from "./regular-file.ts";

export class HostFiles implements calls.FileContext {
  readonly uid = 0;
  readonly gid = 0;
  readonly groups: readonly number[] = [];
  readonly cwd = "/";
  readonly umaskBits = 0;
  readonly mountNamespace: MountNamespace;
  readonly #simulation: Simulation;

  constructor(simulation: Simulation, mounts: MountNamespace) {
    this.#simulation = simulation;
    this.mountNamespace = mounts;
  }

  get nowMs(): number {
    return this.#simulation.nowMs;
  }

  exists(path: string): boolean {
    const end = this.mountNamespace.walk(this, "/", path, { follow: true, change: false });
    return typeof end !== "string" && end.inode !== undefined;
  }

  stat(path: string): FileStat {
    return calls.statAt(this, path, true);
  }

  lstat(path: string): FileStat {
    return calls.statAt(this, path, false);
  }

  readdir(path: string): readonly string[] {
    return calls.readdirAt(this, path);
  }

  readlink(path: string): string {
    return calls.readlinkAt(this, path);
  }

  realDirectory(path: string): string {
    return calls.directoryAt(this, path);
  }

  readFile(path: string): Bytes {
    return this.#fileForReading(path).content().slice();
  }

  readText(path: string): string {
    return this.#fileForReading(path).text();
  }

  /** Undefined where nothing is. */
  textIfThere(path: string): string | undefined {
    const end = this.mountNamespace.walk(this, "/", path, { follow: true, change: false });
    if (typeof end === "string" || end.inode === undefined) return undefined;
    return fileOf(end.inode).text();
  }

  #fileForReading(path: string): FileInode {
    return fileOf(calls.resolveExisting(this, path, true).inode);
  }

  /** Makes or replaces a file; its directory must exist. */
  writeFile(path: string, data: Bytes | string, options: { readonly permissions?: number; readonly append?: boolean } = {}): void {
    const append = options.append === true;
    const inode = this.#fileForWriting(path, options.permissions ?? 0o644);
    const bytes = typeof data === "string" ? encodeUtf8(data) : data;
    if (!append) inode.truncate(0);
    inode.write(append ? inode.contentBytes : 0, bytes);
    inode.modifiedMs = this.nowMs;
  }

  /** Makes or replaces a file whose content is worked out when it is first read. */
  provideFile(path: string, make: () => string, options: { readonly permissions?: number } = {}): void {
    const inode = this.#fileForWriting(path, options.permissions ?? 0o644);
    inode.provide(make);
    inode.modifiedMs = this.nowMs;
  }

  #fileForWriting(path: string, permissions: number): FileInode {
    const file = calls.openAt(this, path, { write: true, create: true }, permissions);
    if (!(file instanceof RegularFile && file.inode instanceof FileInode)) throw new SysError("EINVAL");
    return file.inode;
  }

  /** With all missing parents; content that is there stays. */
  makeDirectories(path: string, permissions = 0o755): void {
    if (this.exists(path)) return;
    let made = "";
    for (const name of path.split("/")) {
      if (name === "") continue;
      made += `/${name}`;
      if (!this.exists(made)) calls.mkdirAt(this, made, permissions);
    }
  }

  mkdir(path: string, permissions = 0o755): void {
    calls.mkdirAt(this, path, permissions);
  }

  symlink(target: string, path: string): void {
    calls.symlinkAt(this, target, path);
  }

  /** Until `close` of what it gives. */
  bindSocket(path: string, service: SocketService): { close(): void } {
    return calls.bindSocketAt(this, path, service, 0o755);
  }

  /** What listens at a Unix socket. Throws ENOENT, ECONNREFUSED. */
  connectSocket(path: string): SocketService {
    return calls.connectSocketAt(this, path);
  }

  rename(from: string, to: string): void {
    calls.renameAt(this, from, to);
  }

  unlink(path: string): void {
    calls.unlinkAt(this, path);
  }

  chmod(path: string, permissions: number): void {
    calls.chmodAt(this, path, permissions);
  }

  chown(path: string, uid: number, gid: number): void {
    calls.chownAt(this, path, uid, gid);
  }

  /** A file, or a directory with all that is in it; nothing when it is not there. */
  removeAll(path: string): void {
    if (!this.#present(path)) return;
    if (this.lstat(path).type !== "directory") {
      this.unlink(path);
      return;
    }
    for (const name of this.readdir(path)) this.removeAll(`${path}/${name}`);
    calls.rmdirAt(this, path);
  }

  #present(path: string): boolean {
    try {
      this.lstat(path);
      return true;
    } catch (error) {
      if (error instanceof SysError && error.code === "ENOENT") return false;
      throw error;
    }
  }

  /** Bytes of the files below a path: what a volume's size limit counts. */
  diskUsage(path: string): number {
    return usageOf(calls.resolveExisting(this, path, true).inode, this, new Set());
  }

  /** A file or directory, to mount it into a container: `{ path, ...files.bind("/var/lib/…") }`. */
  bind(path: string): { readonly fileSystem: Mount["fileSystem"]; readonly root: Inode } {
    const { inode, mount } = calls.resolveExisting(this, path, true, true);
    return { fileSystem: mount.fileSystem, root: inode };
  }

  /** As `bind`, or undefined where nothing is. */
  bindIfThere(path: string): ReturnType<HostFiles["bind"]> | undefined {
    const end = this.mountNamespace.walk(this, "/", path, { follow: true, change: true });
    return typeof end === "string" || end.inode === undefined ? undefined : { fileSystem: end.mount.fileSystem, root: end.inode };
  }
}

function fileOf(inode: Inode): FileInode {
  if (inode instanceof DirectoryInode) throw new SysError("EISDIR");
  if (!(inode instanceof FileInode)) throw new SysError("EINVAL");
  return inode;
}

function usageOf(inode: Inode, files: HostFiles, seen: Set<Inode>): number {
  if (seen.has(inode)) return 0;
  seen.add(inode);
  if (inode instanceof FileInode) return inode.sizeBytes;
  if (!(inode instanceof DirectoryInode)) return 0;
  let bytes = 0;
  for (const name of inode.names(files)) {
    const child = inode.lookup(name, files);
    if (child !== undefined) bytes += usageOf(child, files, seen);
  }
  return bytes;
}
