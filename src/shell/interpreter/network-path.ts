// `/dev/tcp/HOST/PORT` in a redirection of bash: a connection, and no file (Redirections in bash's manual; lib/sh/netopen.c).

import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Shell } from "./shell.ts";

const networkPath = /^\/dev\/tcp\/([^/]*)\/(.+)$/u;

/** Host and port of such a path; undefined for a file's, and in a shell without them. */
export function connectionOf(shell: Shell, path: string): readonly [host: string, port: string] | undefined {
  const [, host, port] = (shell.bash ? networkPath.exec(path) : null) ?? [];
  return host === undefined || port === undefined ? undefined : [host, port];
}

/** The connection's descriptor. Says first what failed; throws SysError then, with which the redirection fails. */
export function* openConnection(shell: Shell, [host, port]: readonly [string, string]): Sys<number> {
  if (!/^\d+$/u.test(port)) return yield* unknown(shell, port, "Servname not supported for ai_socktype");
  const address = /^[\d.]+$|:/u.test(host) ? host : (yield* addressesOf(shell, host))[0];
  if (address === undefined) return yield* unknown(shell, host, "Name or service not known");
  try {
    return yield* shell.self.connect({ address, port: Number(port) });
  } catch (error) {
    if (error instanceof SysError && error.code !== "EINTR")
      yield* shell.writeError(`${shell.errorName}: connect: ${error.message}\n`);
    throw error;
  }
}

function* addressesOf(shell: Shell, host: string): Sys<readonly string[]> {
  try {
    return yield* shell.self.resolve(host);
  } catch (error) {
    if (!(error instanceof SysError) || error.code === "EINTR") throw error;
    return [];
  }
}

function* unknown(shell: Shell, what: string, why: string): Sys<never> {
  yield* shell.complain(`${what}: ${why}`);
  throw new SysError("EINVAL");
}
