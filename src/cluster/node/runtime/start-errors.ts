// How runc and containerd word a command that cannot be started.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { SysError } from "#sim/errors.ts";

/** Why its program cannot be run. */
export function causeOf(argv: readonly string[], error: SysError): string {
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
  return `${cannotStart} error during container init: ${causeOf(argv, error)}: unknown`;
}

/** Something cannot be mounted at `path` of the container. */
export function mountErrorMessage(path: string, error: SysError): string {
  return `${cannotStart} error during container init: error mounting to rootfs at ${JSON.stringify(path)}: ${asciiLowerCase(error.message)}: unknown`;
}

/** The limit leaves no room for the program itself. */
export const outOfMemoryAtStart = `${cannotStart} container init was OOM-killed (memory limit too low?): unknown`;
