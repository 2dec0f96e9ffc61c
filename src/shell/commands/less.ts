import { decodeUtf8 } from "#sim/bytes.ts";
import type { Sys } from "#sim/program.ts";
import { KeyReader } from "../line/keys.ts";
import { cutLine } from "../toolkit/cut-line.ts";
import { linesOf } from "../toolkit/lines.ts";
import { type CommandDefinition, type Tool, ToolFailure } from "../toolkit/tool.ts";
import { isToEnd, onWholeScreen } from "../toolkit/whole-screen.ts";

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

/**
 * A pager on the terminal behind standard output: blanks, arrows, g, G, /text, n, q. By the name `more`, and where told so, a text
 * that fits is only printed.
 */
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
      const shown = lines.slice(top, top + height).map((line) => cutLine(line, terminal.columns));
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
