import type { CommandDefinition } from "../toolkit/tool.ts";

export const clear: CommandDefinition = {
  name: "clear",
  options: "x",
  *run(tool) {
    yield* tool.print("\x1b[H\x1b[2J\x1b[3J");
    return 0;
  },
};
