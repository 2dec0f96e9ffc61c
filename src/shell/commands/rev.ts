import { eachLine } from "../toolkit/lines.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const rev: CommandDefinition = {
  name: "rev",
  options: "",
  *run(tool) {
    yield* tool.eachInput(tool.operands, function* (_path, fd) {
      yield* eachLine(tool, fd, function* (line) {
        yield* tool.print(`${[...line].reverse().join("")}\n`);
        return undefined;
      });
    });
    return 0;
  },
};
