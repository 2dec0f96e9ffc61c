import type { CommandDefinition } from "../toolkit/tool.ts";

export const pwd: CommandDefinition = {
  name: "pwd",
  options: "L P",
  *run(tool) {
    yield* tool.print(`${tool.self.cwd}\n`);
    return 0;
  },
};
