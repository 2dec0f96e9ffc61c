// GNU nano on a terminal: a title bar, the text, a status line, and two lines of shortcuts.

import type { Sys } from "#sim/program.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";
import { openDocument } from "./document.ts";
import { NanoEditor } from "./nano-editor.ts";

/** `nano`, and `edit` with it. */
export const nano: CommandDefinition = {
  name: "nano",
  options: "l,linenumbers v,view V,version E,tabstospaces T,tabsize= i,autoindent R,restricted",
  usage: "nano [OPTIONS] [[+LINE[,COLUMN]] FILE]...",
  *run(tool) {
    const { self } = tool;
    if (tool.has("V")) {
      yield* tool.print(" GNU nano, version 7.2\n");
      return 0;
    }
    if (tool.has("R")) throw new ToolFailure("restricted mode is not supported");
    if (!self.isTty(0)) throw new ToolFailure("Standard input is not a terminal");
    if (!self.isTty(1)) throw new ToolFailure("Standard output is not a terminal");
    const tabSize = Number(tool.value("T") ?? 8);
    if (!Number.isInteger(tabSize) || tabSize < 1) throw new ToolFailure(`Requested tab size "${tool.value("T")}" is invalid`);
    const files = filesOf(tool.operands);
    for (const { path, row, column } of files.length === 0 ? [{ path: "", row: 1, column: 1 }] : files) {
      const editor = new NanoEditor(self, path, path === "" ? { kind: "new" } : openDocument(self, path), {
        tabSize,
        tabAsSpaces: tool.has("E"),
        lineNumbers: tool.has("l"),
        autoIndent: tool.has("i"),
        view: tool.has("v"),
      });
      editor.goTo(row, column);
      if (!(yield* withScreen(editor))) return 1;
    }
    return 0;
  },
};

/** False when the terminal went away. */
function* withScreen(editor: NanoEditor): Sys<boolean> {
  yield* editor.screen.open();
  const ended = yield* editor.run();
  yield* editor.screen.close();
  return ended;
}

function filesOf(operands: readonly string[]): { path: string; row: number; column: number }[] {
  const files: { path: string; row: number; column: number }[] = [];
  let [row, column] = [1, 1];
  for (const operand of operands) {
    const place = /^\+(\d*)(?:,(\d+))?$/u.exec(operand);
    if (place !== null) {
      row = Number(place[1] || 1_000_000_000);
      column = Number(place[2] ?? 1);
      continue;
    }
    files.push({ path: operand, row, column });
    [row, column] = [1, 1];
  }
  return files;
}
