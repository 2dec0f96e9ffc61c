// awk.

import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { expandEscapes } from "../text/escapes.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";
import { AwkSyntaxError, parseAwk } from "./awk/parser.ts";
import { AwkExit, Runtime } from "./awk/runtime.ts";

export const awk: CommandDefinition = {
  name: "awk",
  options: "F,field-separator= v,assign= f,file=",
  usage: "awk [OPTIONS] [AWK_PROGRAM] [FILE]...",
  usageStatus: 2,
  inOrder: true,
  *run(tool) {
    let files = [...tool.operands];
    let source = tool
      .values("f")
      .map((path) => tool.self.readText(path))
      .join("\n");
    if (!tool.has("f")) {
      const first = files.shift();
      if (first === undefined) throw new UsageFailure(tool.gnu ? "" : "");
      source = first;
    }
    try {
      const runtime = new Runtime(tool, parseAwk(source));
      for (const word of tool.values("v")) {
        const at = word.indexOf("=");
        if (at < 1) throw new ToolFailure(`\`${word}' argument to \`-v' not in \`var=value' form`, 2);
        runtime.assignText(word.slice(0, at), expandEscapes(word.slice(at + 1), false).text);
      }
      const separator = tool.value("F");
      if (separator !== undefined) runtime.assignText("FS", separator === "t" ? "\t" : expandEscapes(separator, false).text);
      files = files.length === 0 ? ["-"] : files;
      return yield* finish(runtime, files);
    } catch (error) {
      if (error instanceof AwkSyntaxError)
        throw new ToolFailure(
          tool.gnu
            ? `cmd. line:${error.line}: ${source.split("\n")[error.line - 1] ?? ""}\nawk: cmd. line:${error.line}: ${" ".repeat(Math.max(0, error.column))}^ ${error.message}`
            : `cmd. line:${error.line}: Unexpected token`,
          tool.gnu ? 1 : 1,
        );
      throw error;
    }
  },
};

function* finish(runtime: Runtime, files: readonly string[]): Sys<number> {
  try {
    return yield* runtime.run(files);
  } catch (error) {
    if (error instanceof AwkExit) return error.status;
    if (error instanceof SysError) throw error;
    throw error;
  }
}
