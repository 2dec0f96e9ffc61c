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

/** Where something is mounted, or beneath which it is. */
interface MountPoint {
  /** The topmost mount. */
  mount: Mount | undefined;
  below: Map<string, MountPoint> | undefined;
}

/** Of what is left of a path: nothing that leads on. */
const leadsNowhere = /^(?:\.?\/)*\.?$/;

/** A name that was walked through. Paths are put together at the end of the walk only. */
interface Step {
  readonly namespace: MountNamespace;
  readonly mount: Mount;
  readonly inode: Inode;
  /** Undefined at a mount's root. */
  readonly parent: DirectoryInode | undefined;
  readonly name: string;
  /** Goes along in the tree of mount points as far as that leads. */
  readonly point: MountPoint | undefined;
  /** The name before; undefined at the root that the walk is below. */
  readonly up: Step | undefined;
  /** Of a root: how paths below it begin for whoever walks. */
  readonly seenAt: string;
}

export class MountNamespace {
  #mounts: readonly Mount[];
  /** That of "/", made of `#mounts` when first asked. */
  #top: MountPoint | undefined;

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
    if (this.#top !== undefined) cover(this.#top, mount);
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
    this.#top = undefined;
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
    let text = path.startsWith("/") ? path : `${cwd}/${path}`;
    let here = this.#rootStep(options, "");
    let symlinks = 0;
    for (let at = 0; at < text.length; ) {
      const slash = text.indexOf("/", at);
      const end = slash < 0 ? text.length : slash;
      const name = text.slice(at, end);
      at = end + 1;
      if (name === "" || name === ".") continue;
      if (!(here.inode instanceof DirectoryInode)) return "ENOTDIR";
      if (!mayAccess(here.inode, caller, 1)) return "EACCES";
      if (name === "..") {
        here = here.up ?? here;
        continue;
      }
      if (name.length > maximumNameLength) return "ENAMETOOLONG";
      const next = here.namespace.#enter(here, here.inode, name, caller, options);
      if (next === undefined) return leadsNowhere.test(text.slice(at)) ? missing(here, here.inode, name) : "ENOENT";
      if (!(next.inode instanceof SymlinkInode)) {
        here = next;
        continue;
      }
      const isLast = leadsNowhere.test(text.slice(at));
      if (isLast && !options.follow && slash < 0) {
        here = next;
        continue;
      }
      if (next.inode.openFileFor(caller) !== undefined && isLast) return resolved(next);
      symlinks += 1;
      if (symlinks > maximumSymlinks) return "ELOOP";
      const target = next.inode.targetFor(caller);
      const other = next.inode.treeFor(caller);
      // Inside another tree too, an absolute link leads to a path of the caller's own (path_resolution(7)).
      if (other !== undefined && other.namespace !== this) here = other.namespace.#rootStep(options, other.seenAt);
      else if (target.startsWith("/")) here = this.#rootStep(options, "");
      text = slash < 0 ? target : `${target}/${text.slice(at)}`;
      at = 0;
    }
    if (path.endsWith("/") && !(here.inode instanceof DirectoryInode)) return "ENOTDIR";
    return resolved(here);
  }

  /** Names that exist in the directory only as mount points, or as ways to them. */
  mountedNames(directory: string): readonly string[] {
    return [...(this.#pointAt(directory)?.below?.keys() ?? [])];
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

  #rootStep(options: WalkOptions, seenAt: string): Step {
    const point = this.#points();
    const mount = point.mount ?? (this.#mounts[0] as Mount);
    const inode = mountRoot(mount, options);
    return { namespace: this, mount, inode, parent: undefined, name: "/", point, up: undefined, seenAt };
  }

  /** The topmost mount at a canonical path. */
  mountAt(path: string): Mount | undefined {
    return this.#pointAt(path)?.mount;
  }

  #pointAt(path: string): MountPoint | undefined {
    let point: MountPoint | undefined = this.#points();
    for (const name of path.split("/")) if (name !== "") point = point?.below?.get(name);
    return point;
  }

  #points(): MountPoint {
    if (this.#top === undefined) {
      this.#top = { mount: undefined, below: undefined };
      for (const mount of this.#mounts) cover(this.#top, mount);
    }
    return this.#top;
  }

  #enter(here: Step, directory: DirectoryInode, name: string, caller: Caller, options: WalkOptions): Step | undefined {
    const point = here.point?.below?.get(name);
    const mounted = point?.mount;
    if (mounted !== undefined) {
      const inode = mountRoot(mounted, options);
      return { namespace: this, mount: mounted, inode, parent: undefined, name, point, up: here, seenAt: "" };
    }
    const { mount } = here;
    let inode = directory.lookup(name, caller);
    if (inode === undefined) {
      if (point === undefined) return undefined;
      inode = impliedDirectory;
      if (options.change && mount.readOnly !== true && !directory.shared) {
        inode = new DirectoryInode({
          id: mount.fileSystem.nextInodeId(),
          permissions: 0o755,
          uid: 0,
          gid: 0,
          modifiedMs: 0,
          shared: false,
        });
        directory.set(name, inode);
      }
    } else if (options.change && inode.shared && mount.readOnly !== true && !directory.shared) {
      inode = mount.fileSystem.copyUp(inode);
      directory.set(name, inode);
    }
    return { namespace: this, mount, inode, parent: directory, name, point, up: here, seenAt: "" };
  }
}

/** Puts a mount over what is at its path. */
function cover(top: MountPoint, mount: Mount): void {
  let point = top;
  for (const name of mount.path.split("/")) {
    if (name === "") continue;
    point.below ??= new Map();
    let next = point.below.get(name);
    if (next === undefined) {
      next = { mount: undefined, below: undefined };
      point.below.set(name, next);
    }
    point = next;
  }
  point.mount = mount;
}

function mountRoot(mount: Mount, options: WalkOptions): Inode {
  if (mount.root !== undefined) return mount.root;
  return options.change && mount.readOnly !== true ? mount.fileSystem.ownRoot() : mount.fileSystem.root;
}

function joined(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}

function resolved(step: Step): Resolved {
  const { namespace, mount, inode, parent, name } = step;
  let place = "";
  let root = step;
  for (; root.up !== undefined; root = root.up) place = `/${root.name}${place}`;
  const path = `${root.seenAt}${place}`;
  return { path: path === "" ? "/" : path, namespace, place: place === "" ? "/" : place, mount, inode, parent, name };
}

/** Where a last name leads that is not there. */
function missing(here: Step, parent: DirectoryInode, name: string): Resolved {
  const { path, namespace, place, mount } = resolved(here);
  return { path: joined(path, name), namespace, place: joined(place, name), mount, inode: undefined, parent, name };
}
