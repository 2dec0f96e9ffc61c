// A small vi with vim's messages: normal, insert and command mode.

import type { Sys } from "#sim/program.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";
import { openDocument } from "./document.ts";
import { ViEditor } from "./vi-editor.ts";

/** `vi` and `vim`. */
export const vi: CommandDefinition = {
  name: "vi",
  options: "R",
  usage: "vi [+LINE] [-R] [FILE]...",
  *run(tool): Sys<number> {
    const { self } = tool;
    if (!self.isTty(0)) throw new ToolFailure("Input is not a terminal");
    if (!self.isTty(1)) throw new ToolFailure("Output is not a terminal");
    const start = tool.operands.find((operand) => operand.startsWith("+"));
    const files = tool.operands.filter((operand) => operand !== start);
    for (const path of files.length === 0 ? [""] : files) {
      const opened = path === "" ? ({ kind: "new" } as const) : openDocument(self, path);
      const editor = new ViEditor(self, path, opened, { readOnly: tool.has("R") });
      if (start !== undefined) editor.goToLine(start === "+" ? Number.POSITIVE_INFINITY : Number(start.slice(1)) || 1);
      yield* editor.screen.open();
      const status = yield* editor.run();
      yield* editor.screen.close();
      if (status !== 0) return status;
    }
    return 0;
  },
};
