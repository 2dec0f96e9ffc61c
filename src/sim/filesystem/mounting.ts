// mount(2) and umount(2), and how what is mounted in one namespace is seen in another (mount_namespaces(7), "Shared subtrees"): a
// container's volume follows the machine's directory that it is made of, or both are peers.

import { SysError } from "../errors.ts";
import { isCapable } from "../process/capabilities.ts";
import type { KernelProcess } from "../process/process.ts";
import type { MountRequest } from "../program.ts";
import { resolveExisting } from "./calls.ts";
import type { Mount, MountNamespace, MountWatcher } from "./mounts.ts";

export function mountAt(process: KernelProcess, request: MountRequest, target: string): void {
  const place = placeOf(process, target);
  const { inode } = resolveExisting(process, target, true, true);
  if (request.type === undefined) {
    for (const mount of boundMounts(process, request, place, inode.type === "directory")) process.mountNamespace.add(mount);
    return;
  }
  if (inode.type !== "directory") throw new SysError("ENOTDIR");
  const machineBytes = process.controlGroup.machine.figures?.memoryBytes;
  const limitBytes = request.sizeBytes ?? (machineBytes === undefined ? undefined : Math.floor(machineBytes / 2));
  const fileSystem = process.kernel.createTmpfs(limitBytes === undefined ? {} : { limitBytes });
  process.mountNamespace.add({ path: place, fileSystem, readOnly: request.readOnly === true, isMade: true });
}

export function unmountAt(process: KernelProcess, target: string): void {
  process.mountNamespace.remove(placeOf(process, target));
}

/** Canonical. Throws EPERM for whoever may not mount, EINVAL for a path in another namespace. */
function placeOf(process: KernelProcess, target: string): string {
  const { namespace, place } = resolveExisting(process, target, true);
  if (process.userNamespace !== undefined || !isCapable(process, "SYS_ADMIN")) throw new SysError("EPERM");
  if (namespace !== process.mountNamespace) throw new SysError("EINVAL");
  return place;
}

function boundMounts(process: KernelProcess, request: MountRequest, path: string, isDirectory: boolean): readonly Mount[] {
  const { inode, mount, namespace, place } = resolveExisting(process, request.source, true, true);
  if ((inode.type === "directory") !== isDirectory) throw new SysError("ENOTDIR");
  const readOnly = request.readOnly === true || mount.readOnly === true;
  const bound: Mount = { path, fileSystem: mount.fileSystem, root: inode, source: place, readOnly, isMade: true };
  return request.isRecursive === true ? [bound, ...mountsBelow(namespace, place, path)] : [bound];
}

/** What is mounted below a path of one namespace, as mounts below a path of another. */
export function mountsBelow(namespace: MountNamespace, source: string, path: string): readonly Mount[] {
  const beginning = source === "/" ? "/" : `${source}/`;
  return namespace.mounts
    .filter((mount) => mount.path.startsWith(beginning) && mount.path !== "/")
    .map((mount) => ({ ...mount, path: moved(mount.path, source, path), source: mount.path, propagation: undefined }));
}

function moved(path: string, from: string, to: string): string {
  const rest = from === "/" ? path : path.slice(from.length);
  return `${to === "/" ? "" : to}${rest}` || "/";
}

/** From now on a container sees what is mounted on its machine below the sources of its volumes. Returns what ends that. */
export function follow(machine: MountNamespace, own: MountNamespace, volumes: readonly Mount[]): () => void {
  const ends = volumes.flatMap(({ path, source, propagation }) => {
    if (source === undefined || propagation === undefined) return [];
    // What one passes on to the other must not come back.
    const passing = { isBusy: false };
    const down = watch(machine, passer({ from: source, to: path, namespace: own, passing }));
    if (propagation === "slave") return [down];
    return [down, watch(own, passer({ from: path, to: source, namespace: machine, passing }))];
  });
  return () => {
    for (const end of ends) end();
  };
}

function watch(namespace: MountNamespace, watcher: MountWatcher): () => void {
  namespace.watchers = [...namespace.watchers, watcher];
  return () => {
    namespace.watchers = namespace.watchers.filter((each) => each !== watcher);
  };
}

interface Passage {
  readonly from: string;
  readonly to: string;
  readonly namespace: MountNamespace;
  readonly passing: { isBusy: boolean };
}

function passer({ from, to, namespace, passing }: Passage): MountWatcher {
  const pass = (mount: Mount, act: (path: string) => void): void => {
    const isInside = mount.path === from || mount.path.startsWith(from === "/" ? "/" : `${from}/`);
    if (passing.isBusy || !isInside) return;
    passing.isBusy = true;
    act(moved(mount.path, from, to));
    passing.isBusy = false;
  };
  return {
    mounted: (mount) => pass(mount, (path) => namespace.add({ ...mount, path, source: mount.path, propagation: undefined })),
    unmounted: (mount) =>
      pass(mount, (path) => {
        const there = namespace.mountAt(path);
        if (there?.fileSystem === mount.fileSystem && there.root === mount.root) namespace.remove(path);
      }),
  };
}
