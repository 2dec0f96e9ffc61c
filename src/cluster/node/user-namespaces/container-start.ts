// Why a container of a Pod with users of its own cannot start (runc: libcontainer/mount_linux.go, setupUser in libcontainer/init_linux.go).

import type { Mount } from "#sim/filesystem/mounts.ts";
import { isMapped, type UserNamespace } from "#sim/process/user-namespace.ts";
import type { ContainerConfig } from "../runtime/cri.ts";
import { cannotStart } from "../runtime/start-errors.ts";

/** Undefined: its mounts take other IDs, and its user and groups are of the namespace. */
export function startFault({ mounts, user }: ContainerConfig, namespace: UserNamespace): string | undefined {
  const cause = mountFault(mounts) ?? userFault(user, namespace);
  return cause === undefined ? undefined : `${cannotStart} error during container init: ${cause}: unknown`;
}

/** Not devices, and not what only the kernel has: /proc, /sys (mount_setattr(2)). */
function mountFault(mounts: readonly Mount[]): string | undefined {
  const wrong = mounts.find(
    ({ root, fileSystem: { type } }) => root?.isOfMachine === true || type === "proc" || type === "cgroup" || type === "cgroup2",
  );
  if (wrong === undefined) return undefined;
  const hint = "maybe the filesystem used doesn't support idmap mounts on this kernel?";
  return `failed to fulfil mount request: failed to set MOUNT_ATTR_IDMAP on ${wrong.source}: invalid argument (${hint})`;
}

function userFault({ uid, gid, groups }: ContainerConfig["user"], namespace: UserNamespace): string | undefined {
  const isOutside = (id: number) => !isMapped(id, namespace);
  if (groups.some((group) => group !== gid && isOutside(group))) return "setgroups: invalid argument";
  if (isOutside(gid)) return `cannot setgid to unmapped gid ${gid} in user namespace`;
  return isOutside(uid) ? `cannot setuid to unmapped uid ${uid} in user namespace` : undefined;
}
