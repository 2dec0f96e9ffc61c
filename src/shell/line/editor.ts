// Reads one line from a raw terminal with the editing keys of readline's emacs mode.

import type { Sys } from "#sim/program.ts";
import type { Shell } from "../interpreter/shell.ts";
import { LineBuffer } from "./buffer.ts";
import type { Completion } from "./completion.ts";
import type { Key, KeyReader } from "./keys.ts";
import { lateCompletion } from "./late-completion.ts";
import { LineScreen } from "./screen.ts";

export type EditResult =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "interrupt" }
  | { readonly kind: "end" };

/** By key: what changes nothing but the line. */
const edits: { readonly [key: string]: (buffer: LineBuffer) => void } = {
  left: (buffer) => buffer.move(buffer.cursor - 1),
  "C-b": (buffer) => buffer.move(buffer.cursor - 1),
  right: (buffer) => buffer.move(buffer.cursor + 1),
  "C-f": (buffer) => buffer.move(buffer.cursor + 1),
  home: (buffer) => buffer.move(0),
  "C-a": (buffer) => buffer.move(0),
  end: (buffer) => buffer.move(buffer.characters.length),
  "C-e": (buffer) => buffer.move(buffer.characters.length),
  "M-b": (buffer) => buffer.move(buffer.wordStart(false)),
  "M-f": (buffer) => buffer.move(buffer.wordEnd()),
  backspace: (buffer) => {
    if (buffer.cursor > 0) buffer.kill(buffer.cursor - 1, buffer.cursor, false);
  },
  delete: (buffer) => buffer.kill(buffer.cursor, Math.min(buffer.cursor + 1, buffer.characters.length), false),
  "C-k": (buffer) => buffer.kill(buffer.cursor, buffer.characters.length),
  "C-u": (buffer) => buffer.kill(0, buffer.cursor),
  "C-w": (buffer) => buffer.kill(buffer.wordStart(true), buffer.cursor),
  "M-backspace": (buffer) => buffer.kill(buffer.wordStart(false), buffer.cursor),
  "M-d": (buffer) => buffer.kill(buffer.cursor, buffer.wordEnd()),
  "C-y": (buffer) => buffer.insert(buffer.killed),
  "C-t": (buffer) => buffer.transpose(),
};

/** Reads one line with the keys of readline: movements, killing and yanking, history, completion. */
export class LineEditor {
  readonly #shell: Shell;
  readonly #keys: KeyReader;
  readonly #buffer = new LineBuffer();
  readonly #screen = new LineScreen();
  #prompt = "";
  /** Position in history while walking it; its length is the line being written. */
  #historyAt = 0;
  #written = "";
  #lastKey = "";
  /** The history lines as edited while this line is read. */
  #edited = new Map<number, string>();

  constructor(shell: Shell, keys: KeyReader) {
    this.#shell = shell;
    this.#keys = keys;
  }

  #columns(): number {
    return Math.max(2, this.#shell.terminal?.columns ?? 80);
  }

  *#send(text: string): Sys<void> {
    yield* this.#shell.self.write(this.#shell.descriptor(2), text);
  }

  *#redraw(): Sys<void> {
    yield* this.#send(this.#screen.draw(this.#prompt, this.#buffer.characters, this.#buffer.cursor, this.#columns()));
  }

  /** Reads a line. The terminal must be raw. Throws SysError EINTR. */
  *read(prompt: string): Sys<EditResult> {
    this.#prompt = prompt;
    this.#buffer.set("");
    this.#screen.reset();
    this.#historyAt = this.#shell.history.lines.length;
    this.#edited.clear();
    this.#lastKey = "";
    yield* this.#redraw();
    for (;;) {
      const key = yield* this.#keys.next();
      if (key === undefined) return { kind: "end" };
      const result = yield* this.#handle(key);
      this.#lastKey = key.name;
      if (result !== undefined) return result;
      if (!this.#keys.pending) yield* this.#redraw();
    }
  }

  *#finish(): Sys<void> {
    this.#buffer.move(this.#buffer.characters.length);
    yield* this.#redraw();
    yield* this.#send("\n");
  }

  *#handle(key: Key): Sys<EditResult | undefined> {
    const buffer = this.#buffer;
    if (key.text !== undefined) {
      buffer.insert(key.text);
      return undefined;
    }
    switch (key.name) {
      case "enter": {
        yield* this.#finish();
        return { kind: "line", text: buffer.text };
      }
      case "C-c":
        yield* this.#finishWith("^C");
        return { kind: "interrupt" };
      case "C-d":
        if (buffer.characters.length === 0) return { kind: "end" };
        buffer.kill(buffer.cursor, Math.min(buffer.cursor + 1, buffer.characters.length), false);
        break;
      case "tab":
        yield* this.#complete();
        break;
      case "up":
      case "C-p":
        this.#walk(-1);
        break;
      case "down":
      case "C-n":
        this.#walk(1);
        break;
      case "M-<":
        this.#walk(-this.#historyAt);
        break;
      case "M->":
        this.#walk(this.#shell.history.lines.length - this.#historyAt);
        break;
      case "C-r":
        return yield* this.#search();
      case "C-l":
        yield* this.#send("\x1b[H\x1b[2J");
        this.#screen.reset();
        break;
      case "M-.":
        buffer.insert(this.#shell.history.lines.at(-1)?.split(/\s+/u).at(-1) ?? "");
        break;
      default:
        edits[key.name]?.(buffer);
    }
    return undefined;
  }

  *#finishWith(text: string): Sys<void> {
    this.#buffer.move(this.#buffer.characters.length);
    yield* this.#redraw();
    yield* this.#send(`${text}\n`);
  }

  #walk(by: number): void {
    const { lines } = this.#shell.history;
    const to = Math.max(0, Math.min(lines.length, this.#historyAt + by));
    if (to === this.#historyAt) return;
    if (this.#historyAt === lines.length) this.#written = this.#buffer.text;
    else if (this.#buffer.text !== lines[this.#historyAt]) this.#edited.set(this.#historyAt, this.#buffer.text);
    this.#historyAt = to;
    this.#buffer.set(to === lines.length ? this.#written : (this.#edited.get(to) ?? (lines[to] as string)));
  }

  /** Ctrl-R: incremental search backwards. */
  *#search(): Sys<EditResult | undefined> {
    const { lines } = this.#shell.history;
    const before = { text: this.#buffer.text, cursor: this.#buffer.cursor, prompt: this.#prompt };
    let wanted = "";
    let at = lines.length;
    let failed = false;
    const look = (from: number) => {
      const found = lines.findLastIndex((line, index) => index <= from && line.includes(wanted));
      failed = found < 0;
      if (found < 0) return;
      at = found;
      const line = lines[found] as string;
      this.#buffer.set(line, [...line.slice(0, line.indexOf(wanted))].length);
    };
    for (;;) {
      this.#prompt = `(${failed ? "failed " : ""}reverse-i-search)\`${wanted}': `;
      yield* this.#redraw();
      const key = yield* this.#keys.next();
      if (key === undefined) return { kind: "end" };
      if (key.text !== undefined) {
        wanted += key.text;
        look(Math.min(at, lines.length - 1));
      } else if (key.name === "C-r") look(at - 1);
      else if (key.name === "backspace") {
        wanted = [...wanted].slice(0, -1).join("");
        look(lines.length - 1);
      } else {
        this.#prompt = before.prompt;
        if (key.name === "C-g" || key.name === "C-c") {
          this.#buffer.set(before.text, before.cursor);
          return key.name === "C-c" ? yield* this.#handle(key) : undefined;
        }
        this.#historyAt = at;
        if (key.name === "escape") return undefined;
        return yield* this.#handle(key);
      }
    }
  }

  *#complete(): Sys<void> {
    const buffer = this.#buffer;
    const before = buffer.characters.slice(0, buffer.cursor).join("");
    const completion = yield* lateCompletion.code.complete(this.#shell, before);
    const { candidates } = completion;
    if (candidates.length === 0) {
      yield* this.#send("\x07");
      return;
    }
    const at = lateCompletion.code.wordAt(before);
    const prefix = lateCompletion.code.commonPrefix(candidates);
    const single = candidates.length === 1;
    if (single || prefix.length > at.word.length) {
      this.#replace(completion, at.quote, before, single ? (candidates[0] as string) : prefix, single);
      if (!single) yield* this.#send("\x07");
      return;
    }
    if (this.#lastKey !== "tab") {
      yield* this.#send("\x07");
      return;
    }
    yield* this.#list(completion);
  }

  #replace(completion: Completion, quote: string, before: string, word: string, single: boolean): void {
    const buffer = this.#buffer;
    const start = [...before.slice(0, completion.start)].length;
    const typed = before.slice(completion.start);
    const opened = typed.startsWith('"') || typed.startsWith("'") ? (typed[0] as string) : "";
    let shown = word;
    if (opened !== "") shown = opened + word;
    else if (completion.files) shown = lateCompletion.code.escapeName(word).replace(/^\\~/u, "~");
    const closing = single && completion.suffix !== "" ? (quote !== "" ? quote : "") + completion.suffix : "";
    buffer.kill(start, buffer.cursor, false);
    buffer.insert(shown + closing);
  }

  *#list(completion: Completion): Sys<void> {
    const { shown } = completion;
    const cursor = this.#buffer.cursor;
    this.#buffer.move(this.#buffer.characters.length);
    yield* this.#redraw();
    yield* this.#send("\n");
    let show = true;
    if (shown.length > 100) {
      yield* this.#send(`Display all ${shown.length} possibilities? (y or n)`);
      for (;;) {
        const key = yield* this.#keys.next();
        if (key === undefined || key.text === "n" || key.name === "C-c" || key.name === "backspace") show = false;
        else if (key.text !== "y" && key.text !== " " && key.name !== "tab") continue;
        break;
      }
      yield* this.#send("\n");
    }
    if (show) yield* this.#send(lateCompletion.code.listColumns(shown, this.#columns()));
    this.#screen.reset();
    this.#buffer.move(cursor);
  }
}
