import { eachLine } from "../toolkit/lines.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

export const fold: CommandDefinition = {
  name: "fold",
  options: "b,bytes s,spaces w,width=",
  numberOption: "w",
  usage: "fold [-bs] [-w WIDTH] [FILE]...\n\nWrap input lines in FILEs (or stdin), writing to stdout",
  *run(tool) {
    const width = Number(tool.value("w") ?? "80");
    if (!Number.isInteger(width) || width < 1)
      throw new ToolFailure(tool.gnu ? `invalid number of columns: ‘${tool.value("w")}’` : `invalid number '${tool.value("w")}'`);
    yield* tool.eachInput(tool.operands, function* (_path, fd) {
      yield* eachLine(tool, fd, function* (line, terminated) {
        let rest = [...line];
        while (rest.length > width) {
          const blank = tool.has("s") ? rest.lastIndexOf(" ", width - 1) : -1;
          const cut = blank < 0 ? width : blank + 1;
          yield* tool.print(`${rest.slice(0, cut).join("")}\n`);
          rest = rest.slice(cut);
        }
        yield* tool.print(`${rest.join("")}${terminated ? "\n" : ""}`);
        return undefined;
      });
    });
    return 0;
  },
};
