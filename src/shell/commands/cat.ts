// cat: concatenates files.

import type { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { eachLine } from "../toolkit/lines.ts";
import type { CommandDefinition, Tool } from "../toolkit/tool.ts";

export const cat: CommandDefinition = {
  name: "cat",
  options: "A,show-all b,number-nonblank e E,show-ends n,number s,squeeze-blank t T,show-tabs u v,show-nonprinting",
  usage: "cat [-nbvteA] [FILE]...\n\nPrint FILEs to stdout",
  *run(tool) {
    const plain = tool.given.every(([name]) => name === "u" || name === "v");
    let number = 0;
    let blank = false;
    // Busybox's opens a directory as well as a file.
    const name = (path: string, error: SysError) =>
      !tool.gnu && error.code === "EISDIR" ? `read error: ${error.message}` : tool.unreadable(path, error);
    const copyAll = function* (_path: string, fd: number): Sys<void> {
      if (plain) yield* copy(tool, fd);
      else {
        yield* eachLine(tool, fd, function* (line, terminated) {
          if (tool.has("s") && line === "" && blank) return undefined;
          blank = line === "";
          if (tool.has("b") ? line !== "" : tool.has("n")) yield* tool.print(`${String(++number).padStart(6)}\t`);
          const tabs = tool.has("T") || tool.has("A") || tool.has("t") ? line.replace(/\t/gu, "^I") : line;
          const ends = tool.has("E") || tool.has("A") || tool.has("e") ? "$" : "";
          yield* tool.print(`${tabs}${terminated ? `${ends}\n` : ""}`);
          return undefined;
        });
      }
    };
    yield* tool.eachInput(tool.operands, copyAll, name);
    return 0;
  },
};

function* copy(tool: Tool, fd: number): Sys<void> {
  for (;;) {
    const bytes = yield* tool.self.read(fd);
    if (bytes.length === 0) return;
    yield* tool.print(bytes);
    yield* tool.flush();
  }
}
