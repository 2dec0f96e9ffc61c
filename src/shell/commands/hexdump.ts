import { hex2, visibleText } from "../toolkit/hex-text.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const hexdump: CommandDefinition = {
  name: "hexdump",
  options: "C n= v s=",
  usage: "hexdump [-bcdoxCv] [FILE]...",
  *run(tool) {
    yield* tool.eachOperand([tool.operands[0] ?? "-"], function* (path) {
      const all = yield* tool.readAll(path);
      const bytes = tool.has("n") ? all.subarray(0, Number(tool.value("n"))) : all;
      for (let i = 0; i < bytes.length; i += 16) {
        const row = bytes.subarray(i, i + 16);
        const offset = i.toString(16).padStart(tool.has("C") ? 8 : 7, "0");
        if (tool.has("C")) {
          const cells = Array.from({ length: 16 }, (_, at) => (at < row.length ? hex2(row[at] as number) : "  "));
          yield* tool.print(`${offset}  ${cells.slice(0, 8).join(" ")}  ${cells.slice(8).join(" ")}  |${visibleText(row)}|\n`);
        } else {
          let text = offset;
          for (let at = 0; at < row.length; at += 2) text += ` ${hex2(row[at + 1] ?? 0)}${hex2(row[at] as number)}`;
          yield* tool.print(`${text}\n`);
        }
      }
      if (bytes.length > 0) yield* tool.print(`${bytes.length.toString(16).padStart(tool.has("C") ? 8 : 7, "0")}\n`);
    });
    return 0;
  },
};
