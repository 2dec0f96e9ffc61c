import type { Errno } from "#sim/errors.ts";
import { SysError } from "#sim/errors.ts";
import { type CommandDefinition, type Tool, UsageFailure } from "../toolkit/tool.ts";

export const umount: CommandDefinition = {
  name: "umount",
  options: "a,all r,read-only l,lazy f,force d,detach-loop t,types= v,verbose n,no-mtab R,recursive q,quiet O,test-opts=",
  usage: "umount [-rlfda] [-t FSTYPE] FILESYSTEM|DIRECTORY",
  *run(tool) {
    const { self } = tool;
    if (tool.operands.length === 0 && !tool.has("a")) throw new UsageFailure(tool.gnu ? "bad usage" : "");
    const mounted = self.mounts().map(({ path }) => path);
    const targets = tool.has("a") ? mounted : tool.operands;
    for (const target of targets) {
      const below = tool.has("R") ? mounted.filter((path) => path.startsWith(`${self.realpath(target)}/`)).reverse() : [];
      for (const path of [...below, target]) {
        const code = fault(tool, path);
        if (code !== undefined) yield* tool.warn(words(tool, path, code), tool.gnu ? 32 : 1);
      }
    }
    return tool.status;
  },
};

function fault({ gnu, self }: Tool, path: string): Errno | undefined {
  try {
    // Of whoever is not root, umount of util-linux asks nothing of the kernel.
    if (gnu && self.uid !== 0 && self.exists(path))
      return self.mounts().some((each) => each.path === self.realpath(path)) ? "EPERM" : "EINVAL";
    self.unmount(path);
    return undefined;
  } catch (error) {
    if (error instanceof SysError) return error.code;
    throw error;
  }
}

function words({ gnu }: Tool, path: string, code: Errno): string {
  if (!gnu) return `can't unmount ${path}: ${new SysError(code).message}`;
  if (code === "ENOENT") return `${path}: no mount point specified.`;
  return code === "EINVAL" ? `${path}: not mounted.` : `${path}: must be superuser to unmount.`;
}
