import { SysError } from "#sim/errors.ts";
import { copyEntry, copyTargets, statOrNothing } from "../toolkit/copying.ts";
import { removeTree } from "../toolkit/remove-tree.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

export const mv: CommandDefinition = {
  name: "mv",
  unsupported: "i u",
  options: "f,force i,interactive n,no-clobber v,verbose T,no-target-directory t,target-directory= u,update",
  usage: "mv [-finT] SOURCE DEST\nor: mv [-fin] SOURCE... { -t DIRECTORY | DIRECTORY }",
  *run(tool) {
    const { self } = tool;
    for (const [from, to] of copyTargets(tool)) {
      yield* tool.eachOperand(
        [from],
        function* () {
          self.lstat(from);
          if (tool.has("n") && statOrNothing(tool, to) !== undefined) return;
          try {
            self.rename(from, to);
          } catch (error) {
            if (!(error instanceof SysError)) throw error;
            if (error.code === "EXDEV") {
              yield* copyEntry(tool, from, to, { recursive: true, preserve: true });
              removeTree(self, from, 0);
            } else
              throw new ToolFailure(
                tool.gnu ? `cannot move '${from}' to '${to}': ${error.message}` : `can't rename '${from}': ${error.message}`,
              );
          }
          if (tool.has("v")) yield* tool.print(`renamed '${from}' -> '${to}'\n`);
        },
        (path, error) => (tool.gnu ? `cannot stat '${path}': ${error.message}` : `can't rename '${path}': ${error.message}`),
      );
    }
    return 0;
  },
};
