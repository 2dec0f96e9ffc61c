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
  /** Of a container's volume: what is mounted later below its source is seen in it (slave), and the other way round too (shared). */
  readonly propagation?: Propagation | undefined;
  /** Read-only with all that is mounted below it. */
  readonly isRecursivelyReadOnly?: boolean;
  /** Made by a program, with mount(2). */
  readonly isMade?: boolean;
}

export type Propagation = "slave" | "shared";

/** Hears of what is mounted in a namespace from now on, and of what is taken away. */
export interface MountWatcher {
  readonly mounted: (mount: Mount) => void;
  readonly unmounted: (mount: Mount) => void;
}

const nobody: readonly MountWatcher[] = [];

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

const toLook: WalkOptions = { follow: true, change: false };
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
  /** Few: a list takes less room than a map, and is searched as fast. */
  below: readonly NamedPoint[] | undefined;
}

interface NamedPoint extends MountPoint {
  readonly name: string;
}

function pointBelow(point: MountPoint | undefined, name: string): NamedPoint | undefined {
  const below = point?.below;
  if (below === undefined) return undefined;
  for (const each of below) if (each.name === name) return each;
  return undefined;
}

/** Of what is left of a path: nothing that leads on. */
const leadsNowhere = /^(?:\.?\/)*\.?$/;

const mostKnownPaths = 1024;
/** Names along paths that were walked lately: programs of one image walk the same few again and again. */
const knownNames = new Map<string, readonly string[]>();

/** Of an absolute path; a name may be empty, or a dot. */
function namesOf(path: string): readonly string[] {
  let names = knownNames.get(path);
  if (names === undefined) {
    names = path.slice(1).split("/");
    if (knownNames.size === mostKnownPaths) knownNames.clear();
    knownNames.set(path, names);
  }
  return names;
}

export class MountNamespace {
  #mounts: readonly Mount[];
  /** That of "/", made of `#mounts` when first asked. */
  #top: MountPoint | undefined;
  watchers = nobody;

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
    this.#mounts = this.#mounts.concat(mount);
    if (this.#top !== undefined) cover(this.#top, mount);
    for (const watcher of this.watchers) watcher.mounted(mount);
  }

  /** Mounts where the path leads: links on the way are followed (`/var/run` to `/run`), what is not there yet is as it is said. */
  addAtEnd(mount: Mount): void {
    const path = this.#endOf(mount.path);
    this.add(path === mount.path ? mount : { ...mount, path });
  }

  #endOf(path: string): string {
    const walk = new Walk().from(this, administrator, toLook);
    const end = walk.through(path, namesOf(path));
    return typeof end === "string" ? walk.brokenOff : end.path;
  }

  /** Takes away the topmost mount at the path; EINVAL when there is none. */
  remove(path: string): void {
    const index = this.#mounts.findLastIndex((mount) => mount.path === path);
    const mount = this.#mounts[index];
    if (index <= 0 || mount === undefined) throw new SysError("EINVAL");
    this.#mounts = this.#mounts.toSpliced(index, 1);
    this.#top = undefined;
    for (const watcher of this.watchers) watcher.unmounted(mount);
  }

  /** What is mounted at the path and below it gives way to other mounts. */
  replace(path: string, mounts: readonly Mount[]): void {
    const at = this.#mounts.findIndex((mount) => mount.path === path);
    const others = this.#mounts.filter((mount) => mount.path !== path && !mount.path.startsWith(`${path}/`));
    this.#mounts = others.toSpliced(at, 0, ...mounts);
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
    const walk = idleWalk ?? new Walk();
    idleWalk = undefined;
    walk.from(this, caller, options);
    const end = path.startsWith("/") ? walk.through(path, namesOf(path)) : walk.through(`${cwd}/${path}`, undefined);
    idleWalk = walk;
    if (typeof end !== "string" && path.endsWith("/") && end.inode !== undefined && end.inode.type !== "directory")
      return "ENOTDIR";
    return end;
  }

  /** Names that exist in the directory only as mount points, or as ways to them. */
  mountedNames(directory: string): readonly string[] {
    return (this.#pointAt(directory)?.below ?? []).map(({ name }) => name);
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
      options: [
        mount.readOnly === true ? "ro" : "rw",
        "relatime",
        ...(mount.isIdMapped === true ? ["idmapped"] : []),
        ...(mount.fileSystem.mountOptions === "" ? [] : [mount.fileSystem.mountOptions]),
      ].join(","),
    }));
  }

  isMountPoint(path: string): boolean {
    return this.mountAt(path) !== undefined;
  }

  /** What is mounted at "/". */
  get root(): Mount {
    return this.top.mount ?? (this.#mounts[0] as Mount);
  }

  /** The topmost mount at a canonical path. */
  mountAt(path: string): Mount | undefined {
    return this.#pointAt(path)?.mount;
  }

  #pointAt(path: string): MountPoint | undefined {
    let point: MountPoint | undefined = this.top;
    for (let start = 1; start < path.length && point !== undefined; ) {
      const name = nameAt(path, start);
      if (name !== "") point = pointBelow(point, name);
      start += name.length + 1;
    }
    return point;
  }

  /** The mount point "/", with all others beneath. */
  get top(): MountPoint {
    if (this.#top === undefined) {
      this.#top = { mount: undefined, below: undefined };
      for (const mount of this.#mounts) cover(this.#top, mount);
    }
    return this.#top;
  }
}

/**
 * One walk. What was walked through is the beginning of `#text`, and what is still to come follows in it: links and dots change the
 * text, so that no path need be put together of names.
 */
class Walk {
  /** Whose root absolute links lead to. */
  #own!: MountNamespace;
  #caller!: Caller;
  #options!: WalkOptions;
  #text = "";
  /** How much of it is walked; its canonical path in the present tree. 0: at the root. */
  #walked = 0;
  #namespace!: MountNamespace;
  /** How paths of the present tree begin for the caller. */
  #seenAt = "";
  #mount!: Mount;
  #inode!: Inode;
  #parent: DirectoryInode | undefined;
  #name = "/";
  /** Goes along in the tree of mount points as far as that leads. */
  #point: MountPoint | undefined;

  /** At the root; what an earlier walk left is forgotten. */
  from(own: MountNamespace, caller: Caller, options: WalkOptions): this {
    this.#own = own;
    this.#caller = caller;
    this.#options = options;
    this.#begin(own, "", "");
    return this;
  }

  /** `text` begins with a slash. `known`: its names, which count until a link or dots change the text. */
  through(text: string, known: readonly string[] | undefined): Resolved | Errno {
    this.#text = text;
    let names = known;
    let symlinks = 0;
    for (let next = 0; this.#walked < this.#text.length; next += 1) {
      const start = this.#walked + 1;
      const name = names?.[next] ?? nameAt(this.#text, start);
      const end = start + name.length;
      if (name === "" || name === ".") {
        names = undefined;
        this.#text = this.#text.slice(0, this.#walked) + this.#text.slice(end);
        continue;
      }
      const directory = this.#inode;
      if (!(directory instanceof DirectoryInode)) return "ENOTDIR";
      if (!mayAccess(directory, this.#caller, 1)) return "EACCES";
      if (name === "..") {
        names = undefined;
        this.#goUp(end);
        continue;
      }
      if (name.length > maximumNameLength) return "ENAMETOOLONG";
      const point = pointBelow(this.#point, name);
      const mounted = point?.mount;
      const inode = mounted === undefined ? this.#child(directory, name, point) : mountRoot(mounted, this.#options);
      if (inode === undefined) return this.#isLast(end) ? this.#missing(directory, name, end) : "ENOENT";
      const isFollowed = inode instanceof SymlinkInode && (this.#options.follow || end < this.#text.length);
      if (isFollowed && (inode.openFileFor(this.#caller) === undefined || !this.#isLast(end))) {
        names = undefined;
        symlinks += 1;
        if (symlinks > maximumSymlinks) return "ELOOP";
        this.#follow(inode, end);
        continue;
      }
      this.#walked = end;
      this.#mount = mounted ?? this.#mount;
      this.#inode = inode;
      this.#parent = mounted === undefined ? directory : undefined;
      this.#name = name;
      this.#point = point;
      if (isFollowed) break;
    }
    return this.#here(this.#inode, this.#text.slice(0, this.#walked));
  }

  /** Of a walk that led nowhere: the canonical path as far as it came, and what was still to come as it was said. */
  get brokenOff(): string {
    const rest = this.#text.slice(this.#walked).split("/");
    return [this.#seenAt + this.#text.slice(0, this.#walked), ...rest.filter((name) => name !== "" && name !== ".")].join("/");
  }

  /** Nothing that leads on comes after a name. */
  #isLast(end: number): boolean {
    return end === this.#text.length || leadsNowhere.test(this.#text.slice(end + 1));
  }

  /** Of the present directory, as far as nothing is mounted there. */
  #child(directory: DirectoryInode, name: string, point: MountPoint | undefined): Inode | undefined {
    const { fileSystem, readOnly } = this.#mount;
    const mayChange = this.#options.change && readOnly !== true && !directory.shared;
    const inode = directory.lookup(name, this.#caller);
    if (inode === undefined) {
      if (point === undefined) return undefined;
      if (!mayChange) return impliedDirectory;
      const id = fileSystem.nextInodeId();
      const made = new DirectoryInode({ id, permissions: 0o755, uid: 0, gid: 0, modifiedMs: 0, shared: false });
      directory.set(name, made);
      return made;
    }
    if (!mayChange || !inode.shared) return inode;
    const copy = fileSystem.copyUp(inode);
    directory.set(name, copy);
    return copy;
  }

  /** Back to the root of a tree; the text is its to walk through. */
  #begin(namespace: MountNamespace, seenAt: string, text: string): void {
    this.#text = text;
    this.#walked = 0;
    this.#namespace = namespace;
    this.#seenAt = seenAt;
    this.#mount = namespace.root;
    this.#inode = mountRoot(this.#mount, this.#options);
    this.#parent = undefined;
    this.#name = "/";
    this.#point = namespace.top;
  }

  /** `..`: the directory above has no links in its path, so that walking there anew comes to the same. */
  #goUp(end: number): void {
    const above = this.#walked === 0 ? 0 : this.#text.lastIndexOf("/", this.#walked - 1);
    this.#begin(this.#namespace, this.#seenAt, this.#text.slice(0, above) + this.#text.slice(end));
  }

  /** Inside another tree too, an absolute link leads to a path of the caller's own (path_resolution(7)). */
  #follow(link: SymlinkInode, end: number): void {
    const target = link.targetFor(this.#caller);
    const other = link.treeFor(this.#caller);
    const rest = this.#text.slice(end);
    const isAbsolute = target.startsWith("/");
    if (other !== undefined && other.namespace !== this.#own)
      this.#begin(other.namespace, other.seenAt, `${isAbsolute ? "" : "/"}${target}${rest}`);
    else if (isAbsolute) this.#begin(this.#own, "", target + rest);
    else this.#text = `${this.#text.slice(0, this.#walked)}/${target}${rest}`;
  }

  #here(inode: Inode | undefined, place: string): Resolved {
    const seen = this.#seenAt + place;
    return {
      path: seen === "" ? "/" : seen,
      namespace: this.#namespace,
      place: place === "" ? "/" : place,
      mount: this.#mount,
      inode,
      parent: this.#parent,
      name: this.#name,
    };
  }

  /** Where a last name leads that is not there. */
  #missing(parent: DirectoryInode, name: string, end: number): Resolved {
    this.#parent = parent;
    this.#name = name;
    return this.#here(undefined, this.#text.slice(0, end));
  }
}

/** Kept for the next walk: paths are walked all the time. Links of /proc begin a walk within another one. */
let idleWalk: Walk | undefined;

/** Puts a mount over what is at its path. */
function cover(top: MountPoint, mount: Mount): void {
  let point = top;
  for (const name of namesOf(mount.path)) {
    if (name === "") continue;
    let next = pointBelow(point, name);
    if (next === undefined) {
      next = { name, mount: undefined, below: undefined };
      point.below = point.below === undefined ? [next] : point.below.concat(next);
    }
    point = next;
  }
  point.mount = mount;
}

/** The name that begins at `start`, up to the next slash. */
function nameAt(text: string, start: number): string {
  const slash = text.indexOf("/", start);
  return text.slice(start, slash < 0 ? text.length : slash);
}

function mountRoot(mount: Mount, options: WalkOptions): Inode {
  if (mount.root !== undefined) return mount.root;
  return options.change && mount.readOnly !== true ? mount.fileSystem.ownRoot() : mount.fileSystem.root;
}
