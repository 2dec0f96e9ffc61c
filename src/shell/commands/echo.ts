import { echoText } from "../text/echo.ts";
import { withBytes } from "../text/raw-bytes.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const echo: CommandDefinition = {
  name: "echo",
  *run(tool) {
    yield* tool.print(withBytes(echoText(tool.operands)));
    return 0;
  },
};
