// clear, watch, less: programs for a screen.

import { decodeUtf8 } from "#sim/bytes.ts";
import type { Sys } from "#sim/program.ts";
import { characterWidth } from "#sim/terminal/character-width.ts";
import { KeyReader } from "../line/keys.ts";
import { formatDate } from "../text/date-text.ts";
import { type CommandDefinition, linesOf, type Tool, ToolFailure, UsageFailure } from "./tool.ts";
import { isToEnd, onWholeScreen } from "./whole-screen.ts";

export const clear: CommandDefinition = {
  name: "clear",
  options: "x",
  *run(tool) {
    yield* tool.print("\x1b[H\x1b[2J\x1b[3J");
    return 0;
  },
};

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
  return `\x1b[H\x1b[J${title}${lines.map((line) => cutTo(line, columns)).join("\n")}`;
}

function cutTo(line: string, columns: number): string {
  let width = 0;
  let text = "";
  for (const char of line) {
    width += characterWidth(char);
    if (width > columns) break;
    text += char;
  }
  return text;
}

export const less: CommandDefinition = {
  name: "less",
  options: "R r S F X N i E e c s",
  *run(tool) {
    const { self } = tool;
    let text = "";
    if (tool.operands.length === 0 && self.isTty(0)) throw new ToolFailure('Missing filename ("less --help" for help)');
    yield* tool.eachOperand(tool.operands.length === 0 ? ["-"] : tool.operands, function* (path) {
      text += decodeUtf8(yield* tool.readAll(path));
    });
    if (!self.isTty(1)) {
      yield* tool.print(text);
      return 0;
    }
    return yield* page(tool, linesOf(text));
  },
};

/** A pager on the terminal behind standard output: blanks, arrows, g, G, /text, n, q. By the name `more`, and where told so, a text that
 * fits is only printed. */
function* page(tool: Tool, lines: readonly string[]): Sys<number> {
  const terminal = tool.self.terminal(1);
  const fits = lines.length < terminal.rows;
  const isMore = /(?:^|\/)more$/.test(tool.self.argv[0] ?? "");
  if (fits && (isMore || !tool.gnu || tool.has("F") || tool.has("E") || tool.has("e"))) {
    yield* tool.print(lines.map((line) => `${line}\n`).join(""));
    return 0;
  }
  return yield* onWholeScreen(tool, 1, () => pages(tool, lines));
}

function* pages(tool: Tool, lines: readonly string[]): Sys<number> {
  const { self } = tool;
  const terminal = self.terminal(1);
  const keys = new KeyReader(self, 1);
  let top = 0;
  let wanted = "";
  for (;;) {
    const height = Math.max(1, terminal.rows - 1);
    const bottom = Math.max(0, lines.length - height);
    const go = (to: number) => {
      top = Math.min(bottom, Math.max(0, to));
    };
    try {
      const shown = lines.slice(top, top + height).map((line) => cutTo(line, terminal.columns));
      const status = top >= bottom ? "\x1b[7m(END)\x1b[0m" : ":";
      yield* self.write(1, `\x1b[H\x1b[J${shown.join("\r\n")}\r\n${status}`);
      const key = yield* keys.next();
      const name = key?.text ?? key?.name;
      if (name === undefined || name === "q" || name === "Q") break;
      if (name === " " || name === "f" || name === "pagedown") go(top + height);
      else if (name === "b" || name === "pageup") go(top - height);
      else if (name === "j" || name === "enter" || name === "down") go(top + 1);
      else if (name === "k" || name === "up") go(top - 1);
      else if (name === "g" || name === "home") go(0);
      else if (name === "G" || name === "end") go(bottom);
      else if (name === "/" || name === "n") {
        if (name === "/") wanted = yield* readSearch(tool, keys);
        const at = lines.findIndex((line, index) => index > top && line.includes(wanted));
        if (at >= 0) go(at);
      }
    } catch (error) {
      if (isToEnd(self, error)) break;
    }
  }
  yield* self.write(1, "\r\x1b[K");
  return 0;
}

function* readSearch(tool: Tool, keys: KeyReader): Sys<string> {
  let text = "";
  for (;;) {
    yield* tool.self.write(1, `\r\x1b[K/${text}`);
    const key = yield* keys.next();
    if (key === undefined || key.name === "enter") return text;
    if (key.name === "backspace") text = text.slice(0, -1);
    else text += key.text ?? "";
  }
}
