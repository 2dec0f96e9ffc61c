import { decodeUtf8 } from "#sim/bytes.ts";
import type { Sys } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { cutLine } from "../toolkit/cut-line.ts";
import { type CommandDefinition, type Tool, UsageFailure } from "../toolkit/tool.ts";
import { isToEnd, onWholeScreen } from "../toolkit/whole-screen.ts";

export const watch: CommandDefinition = {
  name: "watch",
  options: "n,interval= d,differences=? t,no-title g,chgexit e,errexit x,exec c,color b p",
  usage: "watch [-n SEC] [-t] PROG ARGS",
  inOrder: true,
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure("");
    // busybox's draws on the shell's own screen, and Ctrl-C ends it as any command.
    if (!tool.gnu || !tool.self.isTty(1)) return yield* watchRounds(tool);
    return yield* onWholeScreen(tool, 1, () => watchRounds(tool));
  },
};

/** Until a signal ends it, or the output changes under `-g`. */
function* watchRounds(tool: Tool): Sys<number> {
  const { self } = tool;
  const seconds = Math.max(0.1, Number(tool.value("n") ?? 2));
  let before: string | undefined;
  for (;;) {
    try {
      const output = yield* outputOf(tool);
      yield* self.write(1, watchScreen(tool, seconds, output));
      if (tool.has("g") && before !== undefined && before !== output) return 0;
      before = output;
      yield* self.sleep(seconds * 1000);
    } catch (error) {
      if (isToEnd(self, error)) return 0;
    }
  }
}

function* outputOf(tool: Tool): Sys<string> {
  const { self } = tool;
  const words = tool.has("x") ? tool.operands : ["sh", "-c", tool.operands.join(" ")];
  const [readEnd, writeEnd] = self.pipe();
  const pid = self.spawn({
    run: "/bin/sh",
    argv: words[0] === "sh" ? words : ["sh", "-c", 'exec "$@"', "sh", ...words],
    fds: new Map([
      [0, 0],
      [1, writeEnd],
      [2, writeEnd],
    ]),
  });
  self.close(writeEnd);
  let output = "";
  try {
    for (;;) {
      const bytes = yield* self.read(readEnd);
      if (bytes.length === 0) break;
      output += decodeUtf8(bytes);
    }
  } finally {
    self.close(readEnd);
  }
  yield* self.wait(pid);
  return output;
}

function watchScreen(tool: Tool, seconds: number, output: string): string {
  const { self } = tool;
  const [columns, rows] = self.isTty(1) ? [self.terminal(1).columns, self.terminal(1).rows] : [80, 24];
  const head = `Every ${seconds.toFixed(1)}s: ${tool.operands.join(" ")}`;
  const right = `${self.hostname}: ${formatDate("%a %b %e %H:%M:%S %Y", self.nowMs)}`;
  const title = tool.has("t")
    ? ""
    : `${head.slice(0, Math.max(0, columns - right.length - 1)).padEnd(columns - right.length)}${right}\n\n`;
  const lines = output.split("\n").slice(0, rows - (tool.has("t") ? 0 : 2));
  return `\x1b[H\x1b[J${title}${lines.map((line) => cutLine(line, columns)).join("\n")}`;
}
