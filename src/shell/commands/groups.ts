import { identityOf, printGroups } from "../toolkit/identity.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const groups: CommandDefinition = {
  name: "groups",
  options: "",
  *run(tool) {
    yield* printGroups(tool, identityOf(tool).groups, true);
    return tool.status;
  },
};
