// Volumes of a Pod with an fsGroup: everything in them becomes that group's (pkg/volume/volume_linux.go: SetVolumeOwnership).

import type { PodSecurityContext } from "#cluster/api/generated/types.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";

const groupWrites = 0o660;
/** Of directories: the group may enter them, and what is made in them is the group's. */
const groupEnters = 0o2110;

/** A whole tree, or nothing where the policy is OnRootMismatch and its root is as it should be. */
export function ownTree(files: HostFiles, path: string, { fsGroup, fsGroupChangePolicy }: PodSecurityContext): void {
  if (fsGroup === undefined) return;
  const group = Number(fsGroup);
  if (fsGroupChangePolicy === "OnRootMismatch" && isOwned(files, path, group)) return;
  const { type, uid, permissions } = files.lstat(path);
  if (type === "symlink") return;
  const isDirectory = type === "directory";
  files.chown(path, uid, group);
  files.chmod(path, permissions | groupWrites | (isDirectory ? groupEnters : 0));
  if (isDirectory) for (const name of files.readdir(path)) ownTree(files, `${path}/${name}`, { fsGroup });
}

function isOwned(files: HostFiles, path: string, group: number): boolean {
  const { gid, permissions } = files.stat(path);
  const wanted = groupWrites | groupEnters;
  return gid === group && (permissions & wanted) === wanted;
}
