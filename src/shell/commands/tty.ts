import type { CommandDefinition } from "../toolkit/tool.ts";

export const tty: CommandDefinition = {
  name: "tty",
  options: "s,silent,quiet",
  *run(tool) {
    if (!tool.self.isTty(0)) {
      if (!tool.has("s")) yield* tool.print("not a tty\n");
      return 1;
    }
    const { name } = tool.self.terminal(0);
    if (!tool.has("s")) yield* tool.print(`${name.startsWith("/") ? name : `/dev/${name}`}\n`);
    return 0;
  },
};
