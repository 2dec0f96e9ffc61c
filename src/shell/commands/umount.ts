import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const umount: CommandDefinition = {
  name: "umount",
  options: "a,all r,read-only l,lazy f,force d,detach-loop t,types= v,verbose n,no-mtab R,recursive q,quiet O,test-opts=",
  usage: "umount [-rlfda] [-t FSTYPE] FILESYSTEM|DIRECTORY",
  *run(tool) {
    const { self } = tool;
    if (tool.operands.length === 0 && !tool.has("a")) throw new UsageFailure(tool.gnu ? "bad usage" : "");
    const mounted = self.mounts();
    const targets = tool.has("a") ? mounted.map(({ path }) => path) : tool.operands;
    for (const target of targets) {
      const isThere = self.exists(target);
      const isMounted = isThere && mounted.some(({ path }) => path === self.realpath(target));
      if (!tool.gnu) {
        let reason = "No such file or directory";
        if (isThere) reason = isMounted ? "Operation not permitted" : "Invalid argument";
        yield* tool.warn(`can't unmount ${target}: ${reason}`);
      } else if (!isThere) yield* tool.warn(`${target}: no mount point specified.`, 32);
      else if (!isMounted) yield* tool.warn(`${target}: not mounted.`, 32);
      else yield* tool.warn(`${target}: must be superuser to unmount.`, 32);
    }
    return tool.status;
  },
};
