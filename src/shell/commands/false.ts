import type { CommandDefinition } from "../toolkit/tool.ts";

export const falseCommand: CommandDefinition = {
  name: "false",
  *run() {
    return 1;
  },
};
