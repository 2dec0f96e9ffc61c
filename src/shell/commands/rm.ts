import { SysError } from "#sim/errors.ts";
import { removeTree } from "../toolkit/remove-tree.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const rm: CommandDefinition = {
  name: "rm",
  unsupported: "i I",
  options: "r,R,recursive f,force i I v,verbose d,dir no-preserve-root one-file-system",
  usage: "rm [-irf] FILE...\n\nRemove (unlink) FILEs",
  *run(tool) {
    const force = tool.has("f");
    if (tool.operands.length === 0) {
      if (force) return 0;
      throw new UsageFailure(tool.gnu ? "missing operand" : "");
    }
    const cannot = (path: string, message: string) =>
      tool.gnu ? `cannot remove '${path}': ${message}` : `can't remove '${path}': ${message}`;
    for (const path of tool.operands) {
      if (tool.has("r") && path === "/" && tool.gnu && !tool.has("no-preserve-root")) {
        yield* tool.warn("it is dangerous to operate recursively on '/'\nrm: use --no-preserve-root to override this failsafe");
        continue;
      }
      if (/(?:^|\/)\.\.?\/*$/u.test(path)) {
        yield* tool.warn(tool.gnu ? `refusing to remove '.' or '..' directory: skipping '${path}'` : "can't remove '.' or '..'");
        continue;
      }
      try {
        const directory = tool.self.lstat(path).type === "directory";
        if (directory && tool.has("d") && !tool.has("r")) tool.self.rmdir(path);
        else if (directory && !tool.has("r")) {
          yield* tool.warn(tool.gnu ? cannot(path, "Is a directory") : `'${path}' is a directory`);
          continue;
        } else removeTree(tool.self, path.length > 1 ? path.replace(/\/+$/u, "") : path, 0);
        if (tool.has("v"))
          yield* tool.print(tool.gnu ? `removed ${directory ? "directory " : ""}'${path}'\n` : `removed '${path}'\n`);
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        if (!(force && (error.code === "ENOENT" || error.code === "ENOTDIR"))) yield* tool.warn(cannot(path, error.message));
      }
    }
    return 0;
  },
};
