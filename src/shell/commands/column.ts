import { textWidth } from "#sim/terminal/character-width.ts";
import { eachLine } from "../toolkit/lines.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const column: CommandDefinition = {
  name: "column",
  options: "t,table s,separator= o,output-separator=",
  *run(tool) {
    const lines: string[] = [];
    yield* tool.eachInput(tool.operands, function* (_path, fd) {
      yield* eachLine(tool, fd, function* (line) {
        tool.self.holdMemory(line.length + 32);
        lines.push(line);
        return undefined;
      });
    });
    if (!tool.has("t")) {
      yield* tool.print(lines.map((line) => `${line}\n`).join(""));
      return 0;
    }
    const separator = tool.value("s");
    const rows = lines.map((line) =>
      separator === undefined
        ? line.trim().split(/\s+/u)
        : line.split(new RegExp(`[${separator.replace(/[\\\]^-]/gu, "\\$&")}]`, "u")),
    );
    const widths: number[] = [];
    for (const row of rows)
      for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, textWidth(cell));
    for (const row of rows) {
      const cells = row.map((cell, index) =>
        index === row.length - 1 ? cell : cell + " ".repeat((widths[index] as number) - textWidth(cell)),
      );
      yield* tool.print(`${cells.join(tool.value("o") ?? "  ")}\n`);
    }
    return 0;
  },
};
