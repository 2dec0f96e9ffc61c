import type { CommandDefinition } from "../toolkit/tool.ts";

export const sync: CommandDefinition = {
  name: "sync",
  options: "",
  *run({ self }) {
    yield* self.sync();
    return 0;
  },
};
