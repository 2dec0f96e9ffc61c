// How runc and containerd word a command that cannot be started.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import type { SysError } from "#sim/errors.ts";

function cause(argv: readonly string[], error: SysError): string {
  const name = argv[0] ?? "";
  const quoted = JSON.stringify(name);
  if (error.code === "EACCES") return `exec: ${quoted}: permission denied`;
  if (error.code === "ENOEXEC") return `exec ${name}: exec format error`;
  if (error.code === "EISDIR") return `exec: ${quoted}: is a directory`;
  if (!name.includes("/")) return `exec: ${quoted}: executable file not found in $PATH`;
  return `exec: ${quoted}: stat ${name}: no such file or directory`;
}

/** Up to the cause. */
export const cannotStart =
  "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process:";

export function startErrorMessage(argv: readonly string[], error: SysError): string {
  return `${cannotStart} error during container init: ${cause(argv, error)}: unknown`;
}

/** Something cannot be mounted at `path` of the container. */
export function mountErrorMessage(path: string, error: SysError): string {
  return `${cannotStart} error during container init: error mounting to rootfs at ${JSON.stringify(path)}: ${asciiLowerCase(error.message)}: unknown`;
}

/** The container whose PID namespace it is to share does not run (containerd: validateTargetContainer). */
export function targetErrorMessage(id: string, targetId: string, state: string): string {
  return `failed to generate container "${id}" spec: invalid target container: container "${targetId}" is not running - in state CONTAINER_${asciiUpperCase(state)}`;
}

/** The limit leaves no room for the program itself. */
export const outOfMemoryAtStart = `${cannotStart} container init was OOM-killed (memory limit too low?): unknown`;

export function execErrorMessage(execId: string, argv: readonly string[], error: SysError): string {
  return `failed to start exec "${execId}": OCI runtime exec failed: exec failed: unable to start container process: ${cause(argv, error)}: unknown`;
}
