import { eachLine } from "../toolkit/lines.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const nl: CommandDefinition = {
  name: "nl",
  options: "b,body-numbering= w,number-width= s,number-separator= v,starting-line-number=",
  *run(tool) {
    let number = Number(tool.value("v") ?? 1);
    const width = Number(tool.value("w") ?? 6);
    yield* tool.eachInput(tool.operands, function* (_path, fd) {
      yield* eachLine(tool, fd, function* (line) {
        const numbered = tool.value("b") === "a" || line !== "";
        yield* tool.print(
          numbered ? `${String(number++).padStart(width)}${tool.value("s") ?? "\t"}${line}\n` : `${" ".repeat(width + 1)}${line}\n`,
        );
        return undefined;
      });
    });
    return 0;
  },
};
