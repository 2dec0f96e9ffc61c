import { accountEntry } from "../toolkit/accounts.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

export const whoami: CommandDefinition = {
  name: "whoami",
  options: "",
  *run(tool) {
    const name = accountEntry(tool.self, "passwd", String(tool.self.uid))?.[0] ?? (tool.self.uid === 0 ? "root" : undefined);
    if (name === undefined)
      throw new ToolFailure(tool.gnu ? `cannot find name for user ID ${tool.self.uid}` : `unknown uid ${tool.self.uid}`);
    yield* tool.print(`${name}\n`);
    return 0;
  },
};
