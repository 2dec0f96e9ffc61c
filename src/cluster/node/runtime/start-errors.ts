// How runc and containerd word a command that cannot be started.

import type { SysError } from "#sim/errors.ts";
import { isMapped, type UserNamespace } from "#sim/process/user-namespace.ts";
import type { ContainerConfig } from "./cri.ts";

function cause(argv: readonly string[], error: SysError): string {
  const name = argv[0] ?? "";
  const quoted = JSON.stringify(name);
  if (error.code === "EACCES") return `exec: ${quoted}: permission denied`;
  if (error.code === "ENOEXEC") return `exec ${name}: exec format error`;
  if (error.code === "EISDIR") return `exec: ${quoted}: is a directory`;
  if (!name.includes("/")) return `exec: ${quoted}: executable file not found in $PATH`;
  return `exec: ${quoted}: stat ${name}: no such file or directory`;
}

const cannotStart =
  "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process:";

export function startErrorMessage(argv: readonly string[], error: SysError): string {
  return `${cannotStart} error during container init: ${cause(argv, error)}: unknown`;
}

/** Something cannot be mounted at `path` of the container. */
export function mountErrorMessage(path: string, error: SysError): string {
  return `${cannotStart} error during container init: error mounting to rootfs at ${JSON.stringify(path)}: ${error.message.toLowerCase()}: unknown`;
}

/** What lies there cannot be mounted with other IDs (runc: libcontainer/mount_linux.go). */
export function idMapErrorMessage(source: string): string {
  const hint = "maybe the filesystem used doesn't support idmap mounts on this kernel?";
  return `${cannotStart} error during container init: failed to fulfil mount request: failed to set MOUNT_ATTR_IDMAP on ${source}: invalid argument (${hint}): unknown`;
}

/** Undefined: the user and its groups are of the namespace (runc: setupUser in libcontainer/init_linux.go). */
export function unmappedUserMessage(
  { uid, gid, groups }: ContainerConfig["user"],
  namespace: UserNamespace | undefined,
): string | undefined {
  const isOutside = (id: number) => !isMapped(id, namespace);
  const cause = groups.some((group) => group !== gid && isOutside(group))
    ? "setgroups: invalid argument"
    : isOutside(gid)
      ? `cannot setgid to unmapped gid ${gid} in user namespace`
      : isOutside(uid)
        ? `cannot setuid to unmapped uid ${uid} in user namespace`
        : undefined;
  return cause === undefined ? undefined : `${cannotStart} error during container init: ${cause}: unknown`;
}

/** The container whose PID namespace it is to share does not run (containerd: validateTargetContainer). */
export function targetErrorMessage(id: string, targetId: string, state: string): string {
  return `failed to generate container "${id}" spec: invalid target container: container "${targetId}" is not running - in state CONTAINER_${state.toUpperCase()}`;
}

/** The limit leaves no room for the program itself. */
export const outOfMemoryAtStart = `${cannotStart} container init was OOM-killed (memory limit too low?): unknown`;

export function execErrorMessage(execId: string, argv: readonly string[], error: SysError): string {
  return `failed to start exec "${execId}": OCI runtime exec failed: exec failed: unable to start container process: ${cause(argv, error)}: unknown`;
}
