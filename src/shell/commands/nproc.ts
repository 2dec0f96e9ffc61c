import type { CommandDefinition } from "../toolkit/tool.ts";

export const nproc: CommandDefinition = {
  name: "nproc",
  options: "all",
  *run(tool) {
    yield* tool.print(`${tool.self.processors}\n`);
    return 0;
  },
};
