import type { CommandDefinition } from "../toolkit/tool.ts";

export const trueCommand: CommandDefinition = {
  name: "true",
  *run() {
    return 0;
  },
};
