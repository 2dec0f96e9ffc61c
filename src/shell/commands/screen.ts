// clear, watch, less: programs for a screen.

import { decodeUtf8 } from "#sim/bytes.ts";
import type { Sys } from "#sim/program.ts";
import { characterWidth } from "#sim/terminal/character-width.ts";
import { formatDate } from "../text/date-text.ts";
import { type CommandDefinition, linesOf, type Tool, ToolFailure, UsageFailure } from "./tool.ts";

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
    const { self } = tool;
    if (tool.operands.length === 0) throw new UsageFailure("");
    const seconds = Math.max(0.1, Number(tool.value("n") ?? 2));
    const command = tool.operands.join(" ");
    const [columns, rows] = self.isTty(1) ? [self.terminal(1).columns, self.terminal(1).rows] : [80, 24];
    let before: string | undefined;
    for (;;) {
      const words = tool.has("x") ? tool.operands : ["sh", "-c", command];
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
      for (;;) {
        const bytes = yield* self.read(readEnd);
        if (bytes.length === 0) break;
        output += decodeUtf8(bytes);
      }
      self.close(readEnd);
      yield* self.wait(pid);
      const head = `Every ${seconds.toFixed(1)}s: ${command}`;
      const right = `${self.hostname}: ${formatDate("%a %b %e %H:%M:%S %Y", self.nowMs)}`;
      const title = tool.has("t")
        ? ""
        : `${head.slice(0, Math.max(0, columns - right.length - 1)).padEnd(columns - right.length)}${right}\n\n`;
      const lines = output.split("\n").slice(0, rows - (tool.has("t") ? 0 : 2));
      yield* self.write(1, `\x1b[H\x1b[J${title}${lines.map((line) => cutTo(line, columns)).join("\n")}`);
      if (tool.has("g") && before !== undefined && before !== output) return 0;
      before = output;
      yield* self.sleep(seconds * 1000);
    }
  },
};

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

/** A pager on the terminal behind standard output: blanks, arrows, g, G, /text, n, q. */
function* page(tool: Tool, lines: readonly string[]): Sys<number> {
  const { self } = tool;
  const terminal = self.terminal(1);
  const modes = terminal.modes;
  const height = Math.max(1, terminal.rows - 1);
  const bottom = Math.max(0, lines.length - height);
  if (bottom === 0) {
    yield* tool.print(lines.map((line) => `${line}\n`).join(""));
    return 0;
  }
  let top = 0;
  let wanted = "";
  terminal.setModes({ ...modes, canonical: false, echo: false, signals: false });
  try {
    for (;;) {
      const shown = lines.slice(top, top + height).map((line) => cutTo(line, terminal.columns));
      const status = top >= bottom ? "\x1b[7m(END)\x1b[0m" : ":";
      yield* self.write(1, `\x1b[H\x1b[J${shown.join("\r\n")}\r\n${status}`);
      const key = decodeUtf8(yield* self.read(1));
      if (key === "" || key === "q" || key === "Q" || key === "\x03") break;
      const go = (to: number) => {
        top = Math.min(bottom, Math.max(0, to));
      };
      if (key === " " || key === "f" || key === "\x1b[6~") go(top + height);
      else if (key === "b" || key === "\x1b[5~") go(top - height);
      else if (key === "j" || key === "\r" || key === "\x1b[B" || key === "\x1bOB") go(top + 1);
      else if (key === "k" || key === "\x1b[A" || key === "\x1bOA") go(top - 1);
      else if (key === "g") go(0);
      else if (key === "G") go(bottom);
      else if (key === "/" || key === "n") {
        if (key === "/") wanted = yield* readSearch(tool);
        const at = lines.findIndex((line, index) => index > top && line.includes(wanted));
        if (at >= 0) go(at);
      }
    }
  } finally {
    terminal.setModes(modes);
  }
  yield* self.write(1, "\r\x1b[K");
  return 0;
}

function* readSearch(tool: Tool): Sys<string> {
  let text = "";
  for (;;) {
    yield* tool.self.write(1, `\r\x1b[K/${text}`);
    const key = decodeUtf8(yield* tool.self.read(1));
    if (key === "\r" || key === "\n" || key === "") return text;
    if (key === "\x7f") text = [...text].slice(0, -1).join("");
    else text += key;
  }
}
