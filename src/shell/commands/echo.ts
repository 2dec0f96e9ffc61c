import { echoText } from "../text/echo.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const echo: CommandDefinition = {
  name: "echo",
  *run(tool) {
    yield* tool.print(echoText(tool.operands));
    return 0;
  },
};
