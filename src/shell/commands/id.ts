import { entryName } from "../toolkit/accounts.ts";
import { identityOf, printGroups } from "../toolkit/identity.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

export const id: CommandDefinition = {
  name: "id",
  options: "u,user g,group G,groups n,name r,real",
  usage: "id [-ugGnr] [USER]",
  *run(tool) {
    const { self } = tool;
    const who = identityOf(tool);
    const { uid, gid } = who;
    const named = (number: number, name: string | undefined) => (name === undefined ? String(number) : `${number}(${name})`);
    const user = entryName(self, "passwd", uid);
    const groupText = (number: number) => named(number, entryName(self, "group", number));
    if (tool.gnu && (tool.has("n") || tool.has("r")) && !["u", "g", "G"].some((option) => tool.has(option)))
      throw new ToolFailure("printing only names or real IDs requires -u, -g, or -G");
    if (tool.has("u") && tool.has("n") && user === undefined)
      yield* tool.warn(tool.gnu ? `cannot find name for user ID ${uid}` : `unknown ID ${uid}`);
    if (tool.has("u")) yield* tool.print(`${tool.has("n") ? (user ?? uid) : uid}\n`);
    else if (tool.has("g") || tool.has("G")) yield* printGroups(tool, tool.has("G") ? who.groups : [gid], tool.has("n"));
    else yield* tool.print(`uid=${named(uid, user)} gid=${groupText(gid)} groups=${who.groups.map(groupText).join()}\n`);
    return tool.status;
  },
};
