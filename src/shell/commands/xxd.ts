import { hex2, visibleText } from "../toolkit/hex-text.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

export const xxd: CommandDefinition = {
  name: "xxd",
  options: "p l= c= r",
  usage: "xxd [-pr] [-l N] [FILE]",
  *run(tool) {
    if (tool.has("r")) throw new ToolFailure("-r: not supported by this xxd");
    yield* tool.eachOperand([tool.operands[0] ?? "-"], function* (path) {
      const all = yield* tool.readAll(path);
      const bytes = tool.has("l") ? all.subarray(0, Number(tool.value("l"))) : all;
      const width = tool.has("p") ? 30 : 16;
      for (let i = 0; i < bytes.length; i += width) {
        const row = bytes.subarray(i, i + width);
        if (tool.has("p")) yield* tool.print(`${[...row].map(hex2).join("")}\n`);
        else {
          let text = "";
          for (let at = 0; at < row.length; at += 2)
            text += ` ${hex2(row[at] as number)}${at + 1 < row.length ? hex2(row[at + 1] as number) : ""}`;
          yield* tool.print(`${i.toString(16).padStart(8, "0")}:${text.padEnd(40)}  ${visibleText(row)}\n`);
        }
      }
    });
    return 0;
  },
};
