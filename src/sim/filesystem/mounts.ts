// A mount namespace: which tree is seen at which path, and how a path is walked through it.

import { type Errno, SysError } from "../errors.ts";
import type { FileSystem, Room } from "./file-system.ts";
import { type Caller, DirectoryInode, type Inode, mayAccess, SymlinkInode } from "./inode.ts";

export interface Mount {
  /** Canonical absolute path of the mount point. */
  readonly path: string;
  readonly fileSystem: FileSystem;
  /** A directory or a file of the file system, for bind mounts; absent: its root. */
  readonly root?: Inode;
  readonly readOnly?: boolean;
  /** Of a bind mount: the path on the machine, as far as it is known. */
  readonly source?: string | undefined;
  /** With the IDs of a user namespace. */
  readonly isIdMapped?: boolean;
}

/** What /proc/mounts and statfs tell of a mount. */
export interface MountDescription extends Room {
  readonly source: string;
  readonly path: string;
  readonly type: string;
  readonly options: string;
}

/** Where a path leads. `inode` is undefined when only the last component is missing. */
export interface Resolved {
  /** Canonical, for whoever walked it. */
  readonly path: string;
  /** The namespace that it ends in, another process's below /proc/<pid>/root, and the canonical path there. */
  readonly namespace: MountNamespace;
  readonly place: string;
  readonly mount: Mount;
  readonly inode: Inode | undefined;
  /** Directory that holds, or would hold, the entry; undefined at a mount's root. */
  readonly parent: DirectoryInode | undefined;
  readonly name: string;
}

export interface WalkOptions {
  /** Follow a symbolic link in the last component. */
  readonly follow: boolean;
  /** The entry or its directory is going to be changed: shared inodes on the way are copied up. */
  readonly change: boolean;
}

const administrator: Caller = { uid: 0, gid: 0, groups: [] };
const maximumSymlinks = 40;
const maximumNameLength = 255;
const maximumPathLength = 4096;

/** Stands for directories that exist only because something is mounted beneath them. */
const impliedDirectory = new DirectoryInode({ id: 0, permissions: 0o755, uid: 0, gid: 0, modifiedMs: 0, shared: true });

interface Step extends Resolved {
  readonly inode: Inode;
}

export class MountNamespace {
  #mounts: readonly Mount[];
  /** Made of `#mounts` when first asked: walking looks at each name of a path. */
  #index: MountIndex | undefined;

  /** The first mount must be that of "/". Later ones cover earlier ones of the same path. */
  constructor(mounts: readonly Mount[]) {
    this.#mounts = mounts;
  }

  get mounts(): readonly Mount[] {
    return this.#mounts;
  }

  /** Its own files below /dev go. */
  discardDevices(): void {
    this.mountAt("/dev")?.fileSystem.discard();
  }

  add(mount: Mount): void {
    this.#mounts = [...this.#mounts, mount];
    this.#index = undefined;
  }

  /** Mounts where the path leads: links on the way are followed (`/var/run` to `/run`), what is not there yet is as it is said. */
  addAtEnd(mount: Mount): void {
    this.add({ ...mount, path: this.#endOf(mount.path) });
  }

  #endOf(path: string): string {
    const walked = (place: string): string | undefined => {
      const end = this.walk(administrator, "/", place, { follow: true, change: false });
      return typeof end === "string" ? undefined : end.path;
    };
    const whole = walked(path);
    if (whole !== undefined) return whole;
    let known = "/";
    for (const name of path.split("/")) if (name !== "") known = walked(joined(known, name)) ?? joined(known, name);
    return known;
  }

  /** Takes away the topmost mount at the path; EINVAL when there is none. */
  remove(path: string): void {
    const index = this.#mounts.findLastIndex((mount) => mount.path === path);
    if (index <= 0) throw new SysError("EINVAL");
    this.#mounts = this.#mounts.toSpliced(index, 1);
    this.#index = undefined;
  }

  /** Walks `path` (absolute, or relative to `cwd`). Throws ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG. */
  resolve(caller: Caller, cwd: string, path: string, options: WalkOptions): Resolved {
    const end = this.walk(caller, cwd, path, options);
    if (typeof end === "string") throw new SysError(end);
    return end;
  }

  /** As `resolve`, but a path that leads nowhere is an answer: for those who only ask whether it does. */
  walk(caller: Caller, cwd: string, path: string, options: WalkOptions): Resolved | Errno {
    if (path === "") return "ENOENT";
    if (path.length > maximumPathLength) return "ENAMETOOLONG";
    const pending = (path.startsWith("/") ? path : `${cwd}/${path}`).split("/").reverse();
    let trail: Step[] = [this.#rootStep(options)];
    let symlinks = 0;
    while (pending.length > 0) {
      const name = pending.pop() as string;
      if (name === "" || name === ".") continue;
      const here = trail[trail.length - 1] as Step;
      if (!(here.inode instanceof DirectoryInode)) return "ENOTDIR";
      if (!mayAccess(here.inode, caller, 1)) return "EACCES";
      if (name === "..") {
        if (trail.length > 1) trail.pop();
        continue;
      }
      if (name.length > maximumNameLength) return "ENAMETOOLONG";
      const last = pending.every((part) => part === "" || part === ".");
      const next = here.namespace.#enter(here, here.inode, name, caller, options);
      if (next === undefined) {
        if (!last) return "ENOENT";
        const { namespace, mount } = here;
        const place = joined(here.place, name);
        return { path: joined(here.path, name), namespace, place, mount, inode: undefined, parent: here.inode, name };
      }
      if (next.inode instanceof SymlinkInode && (!last || options.follow || pending.length > 0)) {
        if (next.inode.openFileFor(caller) !== undefined && last) return next;
        symlinks += 1;
        if (symlinks > maximumSymlinks) return "ELOOP";
        const target = next.inode.targetFor(caller);
        const other = next.inode.treeFor(caller);
        // Inside another tree too, an absolute link leads to a path of the caller's own (path_resolution(7)).
        if (other !== undefined && other.namespace !== this) trail = [other.namespace.#rootStep(options, other.seenAt)];
        else if (target.startsWith("/")) trail = [this.#rootStep(options)];
        for (const part of target.split("/").reverse()) pending.push(part);
        continue;
      }
      trail.push(next);
    }
    const end = trail[trail.length - 1] as Step;
    if (path.endsWith("/") && !(end.inode instanceof DirectoryInode)) return "ENOTDIR";
    return end;
  }

  /** Names that exist in the directory only as mount points, or as ways to them. */
  mountedNames(directory: string): readonly string[] {
    const prefix = directory === "/" ? "/" : `${directory}/`;
    const names: string[] = [];
    for (const { path } of this.#mounts) {
      if (path.length > prefix.length && path.startsWith(prefix)) names.push(path.slice(prefix.length).split("/", 1)[0] as string);
    }
    return names;
  }

  /** What is seen from a directory as if it were the root (chroot(2)); what is mounted later is not. */
  static below({ namespace, place, mount, inode }: Resolved): MountNamespace {
    const root: Mount = { ...mount, path: "/", ...(inode === undefined ? {} : { root: inode }) };
    const prefix = place === "/" ? "/" : `${place}/`;
    const inside = namespace.#mounts.filter((each) => each.path !== "/" && each.path.startsWith(prefix));
    return new MountNamespace([root, ...inside.map((each) => ({ ...each, path: each.path.slice(prefix.length - 1) }))]);
  }

  /** As /proc/mounts lists them. */
  describe(): readonly MountDescription[] {
    return this.#mounts.map((mount) => ({
      ...mount.fileSystem.room,
      source: mount.fileSystem.source,
      path: mount.path,
      type: mount.fileSystem.type,
      options: `${mount.readOnly === true ? "ro" : "rw"},relatime${mount.isIdMapped === true ? ",idmapped" : ""}`,
    }));
  }

  isMountPoint(path: string): boolean {
    return this.mountAt(path) !== undefined;
  }

  #rootStep(options: WalkOptions, path = "/"): Step {
    const mount = this.mountAt("/") ?? (this.#mounts[0] as Mount);
    return { path, namespace: this, place: "/", mount, inode: mountRoot(mount, options), parent: undefined, name: "/" };
  }

  /** The topmost mount at a canonical path. */
  mountAt(path: string): Mount | undefined {
    return this.#indexed().topmost.get(path);
  }

  #indexed(): MountIndex {
    this.#index ??= indexOf(this.#mounts);
    return this.#index;
  }

  #enter(here: Step, directory: DirectoryInode, name: string, caller: Caller, options: WalkOptions): Step | undefined {
    const path = joined(here.path, name);
    const place = here.place === here.path ? path : joined(here.place, name);
    if (this.#mounts.length > 1) {
      const mount = this.mountAt(place);
      if (mount !== undefined)
        return { path, namespace: this, place, mount, inode: mountRoot(mount, options), parent: undefined, name };
    }
    let inode = directory.lookup(name, caller);
    if (inode === undefined) {
      if (!this.#indexed().ways.has(place)) return undefined;
      inode = impliedDirectory;
      if (options.change && here.mount.readOnly !== true && !directory.shared) {
        inode = new DirectoryInode({
          id: here.mount.fileSystem.nextInodeId(),
          permissions: 0o755,
          uid: 0,
          gid: 0,
          modifiedMs: 0,
          shared: false,
        });
        directory.set(name, inode);
      }
    } else if (options.change && inode.shared && here.mount.readOnly !== true && !directory.shared) {
      inode = here.mount.fileSystem.copyUp(inode);
      directory.set(name, inode);
    }
    return { path, namespace: this, place, mount: here.mount, inode, parent: directory, name };
  }
}

interface MountIndex {
  /** The last mount of each path. */
  readonly topmost: ReadonlyMap<string, Mount>;
  /** Directories above mount points. */
  readonly ways: ReadonlySet<string>;
}

function indexOf(mounts: readonly Mount[]): MountIndex {
  const topmost = new Map<string, Mount>();
  const ways = new Set<string>();
  for (const mount of mounts) {
    topmost.set(mount.path, mount);
    for (let at = mount.path.lastIndexOf("/"); at > 0; at = mount.path.lastIndexOf("/", at - 1)) ways.add(mount.path.slice(0, at));
  }
  return { topmost, ways };
}

function mountRoot(mount: Mount, options: WalkOptions): Inode {
  if (mount.root !== undefined) return mount.root;
  return options.change && mount.readOnly !== true ? mount.fileSystem.ownRoot() : mount.fileSystem.root;
}

function joined(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}
