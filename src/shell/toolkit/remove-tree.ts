// A directory with all that is in it.

import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";

/** Removes a file or a directory with all in it. Throws SysError. */
export function removeTree(self: Process, path: string, depth: number): void {
  if (depth > 128) throw new SysError("ELOOP");
  if (self.lstat(path).type !== "directory") {
    self.unlink(path);
    return;
  }
  for (const name of self.readdir(path)) removeTree(self, `${path}/${name}`, depth + 1);
  self.rmdir(path);
}
