// placeholder
import { type CommandDefinition, ToolFailure } from "./tool.ts";
export const jq: CommandDefinition = {
  name: "jq",
  *run() {
    throw new ToolFailure("not available");
  },
};
