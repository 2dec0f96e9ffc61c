import { eachLine } from "../toolkit/lines.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

export const expand: CommandDefinition = {
  name: "expand",
  options: "i,initial t,tabs=",
  usage: "expand [-i] [-t N] [FILE]...\n\nConvert tabs to spaces, writing to stdout",
  *run(tool) {
    const text = tool.value("t") ?? "8";
    if (!/^[1-9]\d*$/u.test(text))
      throw new ToolFailure(
        /^[\d, ]+$/u.test(text) ? "lists of tab stops are not supported here" : `tab size contains invalid character(s): ‘${text}’`,
      );
    const width = Number(text);
    yield* tool.eachInput(tool.operands, function* (_path, fd) {
      yield* eachLine(tool, fd, function* (line, terminated) {
        let shown = "";
        let isInitial = true;
        for (const character of line) {
          if (character === "\t" && (isInitial || !tool.has("i"))) shown += " ".repeat(width - (shown.length % width));
          else shown += character;
          if (character !== "\t" && character !== " ") isInitial = false;
        }
        yield* tool.print(`${shown}${terminated ? "\n" : ""}`);
        return undefined;
      });
    });
    return 0;
  },
};
