// How programs of the driver begin: their flags, and their sockets.

import { StartFailure } from "#cluster/images/system-images.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";

/** `--name=value`, with one dash or two. */
export function flagOf(self: Process, name: string): string | undefined {
  const found = self.argv.find((each) => each.startsWith(`--${name}=`) || each.startsWith(`-${name}=`));
  return found?.slice(found.indexOf("=") + 1);
}

/** Makes the socket anew: one of an earlier process may lie there. Throws StartFailure. */
export function listen(self: Process, path: string, service: Parameters<Process["bindSocket"]>[1]): void {
  try {
    if (self.exists(path)) self.unlink(path);
    self.bindSocket(path, service);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new StartFailure(`failed to listen on ${path}: ${error.message}`);
  }
}
