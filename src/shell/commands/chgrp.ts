import { changeOwner } from "../toolkit/file-owners.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const chgrp: CommandDefinition = {
  name: "chgrp",
  options: "R,recursive v,verbose f,silent,quiet c,changes h,no-dereference",
  usage: "chgrp [-Rhc]... GROUP FILE...",
  *run(tool) {
    return yield* changeOwner(tool, tool.operands[0], true);
  },
};
