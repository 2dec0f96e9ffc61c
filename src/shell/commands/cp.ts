import { copyEntry, copyTargets } from "../toolkit/copying.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const cp: CommandDefinition = {
  name: "cp",
  unsupported: "i u l s",
  options:
    "a,archive r,R,recursive p,preserve=? d f,force i,interactive n,no-clobber v,verbose L,dereference P T,no-target-directory t,target-directory= u,update l,link s",
  usage: "cp [-arPLHpfinlsTu] SOURCE DEST\nor: cp [-arPLHpfinlsu] SOURCE... { -t DIRECTORY | DIRECTORY }",
  *run(tool) {
    const recursive = tool.has("r") || tool.has("a");
    for (const [from, to] of copyTargets(tool)) {
      yield* tool.eachOperand(
        [from],
        () => copyEntry(tool, from, to, { recursive, preserve: tool.has("p") || tool.has("a") }),
        (path, error) => (tool.gnu ? `cannot stat '${path}': ${error.message}` : `can't stat '${path}': ${error.message}`),
      );
    }
    return 0;
  },
};
