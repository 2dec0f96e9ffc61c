import { SysError } from "#sim/errors.ts";
import { baseName } from "../toolkit/base-name.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const ln: CommandDefinition = {
  name: "ln",
  unsupported: "r",
  options: "s,symbolic f,force n,no-dereference v,verbose T,no-target-directory r,relative t,target-directory=",
  usage: "ln [-sfnbtv] [-S SUF] TARGET... LINK|DIR",
  *run(tool) {
    const { self } = tool;
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing file operand" : "");
    const destination = tool.operands.length === 1 ? "." : (tool.operands.at(-1) as string);
    const targets = tool.operands.length === 1 ? tool.operands : tool.operands.slice(0, -1);
    for (const target of targets) {
      let path = destination;
      try {
        const stat = tool.has("n") ? self.lstat(destination) : self.stat(destination);
        if (stat.type === "directory" && !tool.has("T")) path = `${destination.replace(/\/+$/u, "")}/${baseName(target)}`;
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
      }
      try {
        if (tool.has("f")) {
          try {
            self.unlink(path);
          } catch (error) {
            if (!(error instanceof SysError && error.code === "ENOENT")) throw error;
          }
        }
        if (tool.has("s")) self.symlink(target, path);
        else self.link(target, path);
        if (tool.has("v")) yield* tool.print(`'${path}' ${tool.has("s") ? "->" : "=>"} '${target}'\n`);
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        const kind = tool.has("s") ? "symbolic" : "hard";
        yield* tool.warn(
          tool.gnu
            ? `failed to create ${kind} link '${path}'${kind === "hard" ? ` => '${target}'` : ""}: ${error.message}`
            : `${path}: ${error.message}`,
        );
      }
    }
    return 0;
  },
};
