import { expandEscapes } from "../text/escapes.ts";
import { LineReader } from "../toolkit/lines.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const paste: CommandDefinition = {
  name: "paste",
  options: "d,delimiters= s,serial z",
  usage: "paste [-d LIST] [-s] [FILE]...",
  *run(tool) {
    const delimiters = [...expandEscapes(tool.value("d") ?? "\t", false).text];
    const join = (parts: readonly string[]) =>
      parts.reduce(
        (text, part, index) => (index === 0 ? part : text + (delimiters[(index - 1) % delimiters.length] ?? "") + part),
        "",
      );
    const paths = tool.operands.length === 0 ? ["-"] : tool.operands;
    const readers = paths.map((path) => new LineReader(tool.self, tool.openInput(path)));
    const shared = new Map<string, LineReader>();
    const readerOf = (index: number): LineReader => {
      const path = paths[index] as string;
      if (path !== "-") return readers[index] as LineReader;
      const reader = shared.get(path) ?? (readers[index] as LineReader);
      shared.set(path, reader);
      return reader;
    };
    if (tool.has("s")) {
      for (let index = 0; index < paths.length; index += 1) {
        const lines: string[] = [];
        for (let line = yield* readerOf(index).next(); line !== undefined; line = yield* readerOf(index).next()) lines.push(line);
        yield* tool.print(`${join(lines)}\n`);
      }
      return 0;
    }
    for (;;) {
      const row: (string | undefined)[] = [];
      for (let index = 0; index < paths.length; index += 1) row.push(yield* readerOf(index).next());
      if (row.every((cell) => cell === undefined)) return 0;
      yield* tool.print(`${join(row.map((cell) => cell ?? ""))}\n`);
    }
  },
};
