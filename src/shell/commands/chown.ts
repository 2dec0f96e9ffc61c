import { changeOwner } from "../toolkit/file-owners.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const chown: CommandDefinition = {
  name: "chown",
  options: "R,recursive v,verbose f,silent,quiet c,changes h,no-dereference",
  usage: "chown [-Rhc]... USER[:[GRP]] FILE...",
  *run(tool) {
    return yield* changeOwner(tool, tool.operands[0], false);
  },
};
