// One file in nano: keys to changes of the text, and the drawing after each.

import { decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import { once } from "#sim/late.ts";
import type { Process, Sys } from "#sim/program.ts";
import { textWidth } from "#sim/terminal/character-width.ts";
import { classOf } from "#sim/unicode.ts";
import type { Key } from "../line/keys.ts";
import { cellOf, cells, columnAt, nextColumn, previousColumn } from "./columns.ts";
import { type Opened, writeDocument } from "./document.ts";
import { FullScreen, reversed } from "./full-screen.ts";
import { nanoHelp } from "./nano-help.ts";
import { askLetter, askText } from "./nano-prompt.ts";
import { NanoSearch } from "./nano-search.ts";
import { leftCell, mainShortcuts, type Shortcut, shortcutRows, textRows, titleBar } from "./nano-view.ts";
import { ordered, type Position, TextBuffer } from "./text-buffer.ts";

export interface NanoOptions {
  readonly tabSize: number;
  readonly tabAsSpaces: boolean;
  readonly lineNumbers: boolean;
  readonly autoIndent: boolean;
  readonly view: boolean;
}

type Kind = "typing" | "erasing" | "cutting" | "other";

const words = once(() => {
  const word = `${classOf("L", "N")}_`;
  return {
    /** Up to the next word. */
    next: new RegExp(`^[${word}]*[^${word}]+(?=[${word}])`, "u"),
    /** What stands before the first word. */
    indent: new RegExp(`^[^${word}]*`, "u"),
    /** The last word and what follows it. */
    previous: new RegExp(`[${word}]+[^${word}]*$`, "u"),
  };
});

export class NanoEditor {
  readonly self: Process;
  readonly screen: FullScreen;
  readonly buffer: TextBuffer;
  /** Shown on the status line until the next key. */
  status = "";
  #path: string;
  #options: NanoOptions;
  #top = 0;
  /** The cell that up and down keep to. */
  #wantedCell: number | undefined;
  #cut = "";
  #mark: Position | undefined;
  #last: Kind = "other";
  #ended = false;
  readonly #search: NanoSearch;

  constructor(self: Process, path: string, opened: Opened, options: NanoOptions) {
    this.self = self;
    this.screen = new FullScreen(self);
    this.#path = opened.kind === "refused" ? "" : path;
    this.#options = options;
    this.buffer = new TextBuffer(opened.kind === "file" ? opened.text : "");
    this.#search = new NanoSearch(this);
    if (opened.kind === "new" && path !== "") this.status = "New File";
    else if (opened.kind === "file") this.status = `Read ${lineCount(countLines(opened.text))}`;
    else if (opened.kind === "refused")
      this.status = opened.message === "Is a directory" ? `"${path}" is a directory` : `Error reading ${path}: ${opened.message}`;
  }

  /** Counted from 1. */
  goTo(row: number, column: number): void {
    const target = Math.max(0, Math.min(row - 1, this.buffer.lines.length - 1));
    const line = this.buffer.line(target);
    this.buffer.cursor = { row: target, column: columnAt(line, Math.max(0, column - 1), this.#options.tabSize) };
    const { textHeight } = this;
    if (target >= this.#top + textHeight || target < this.#top) this.#top = Math.max(0, target - (textHeight >> 1));
  }

  get textHeight(): number {
    return Math.max(1, this.screen.rows - 4);
  }

  /** Until the learner leaves; false when the terminal went away. */
  *run(): Sys<boolean> {
    while (!this.#ended) {
      yield* this.draw();
      const key = yield* this.screen.key();
      if (key === undefined) return false;
      if (key.name === "resize") continue;
      this.status = "";
      yield* this.#press(key);
    }
    return true;
  }

  *draw(): Sys<void> {
    const { columns } = this.screen;
    const text = this.status === "" ? "" : cells(`[ ${this.status} ]`, 0, columns, 8);
    const bar = text === "" ? "" : " ".repeat(Math.max(0, (columns - textWidth(text)) >> 1)) + reversed(text);
    yield* this.screen.draw(this.#rows(bar, mainShortcuts), this.#cursorOnScreen());
  }

  /** Draws a question on the status line, with the cursor in it. */
  *drawWithBar(bar: string, cursorCell: number, shortcuts: readonly (readonly [Shortcut, Shortcut])[]): Sys<void> {
    const { columns, rows } = this.screen;
    const padded = bar + " ".repeat(Math.max(0, columns - textWidth(bar)));
    yield* this.screen.draw(this.#rows(reversed(padded), shortcuts), {
      row: Math.max(0, rows - 3),
      column: Math.min(columns - 1, cursorCell),
    });
  }

  #rows(bar: string, shortcuts: readonly (readonly [Shortcut, Shortcut])[]): readonly string[] {
    const { columns } = this.screen;
    const { row } = this.buffer.cursor;
    const height = this.textHeight;
    // Going over an edge by one line scrolls by one; a jump puts the line in the middle.
    if (row < this.#top) this.#top = row === this.#top - 1 ? row : Math.max(0, row - (height >> 1));
    else if (row >= this.#top + height) this.#top = row === this.#top + height ? row - height + 1 : row - (height >> 1);
    const selection = this.#mark === undefined ? undefined : ordered(this.#mark, this.buffer.cursor);
    let state = "";
    if (this.#options.view) state = "View";
    else if (this.buffer.modified) state = "Modified";
    return [
      titleBar(columns, this.#path, state),
      ...textRows(this.buffer, this.#top, {
        columns,
        rows: height,
        tabSize: this.#options.tabSize,
        margin: this.#margin,
        selection,
      }),
      bar,
      ...shortcutRows(columns, shortcuts),
    ];
  }

  get #margin(): number {
    return this.#options.lineNumbers ? String(this.buffer.lines.length).length + 1 : 0;
  }

  #cursorOnScreen(): { readonly row: number; readonly column: number } {
    const { row, column } = this.buffer.cursor;
    const cell = cellOf(this.buffer.line(row), column, this.#options.tabSize);
    const margin = this.#margin;
    return { row: row - this.#top + 1, column: margin + cell - leftCell(cell, this.screen.columns - margin) };
  }

  *#press(key: Key): Sys<void> {
    const wanted = this.#wantedCell;
    this.#wantedCell = undefined;
    const kind = kindOf(key);
    if (kind !== this.#last || kind === "other") this.buffer.beginStep();
    const before = this.#last;
    this.#last = kind;
    if (key.name === "text") {
      if (this.#mayChange()) this.#replaceAtCursor(key.text as string);
      return;
    }
    if (this.#move(key.name, wanted)) return;
    if (changing.has(key.name) && !this.#mayChange()) return;
    yield* this.#command(key.name, before);
  }

  #mayChange(): boolean {
    if (this.#options.view) this.status = "Key is invalid in view mode";
    return !this.#options.view;
  }

  #replaceAtCursor(text: string): void {
    this.#mark = undefined;
    this.buffer.insert(text);
  }

  /** Movements; false when the key is none. */
  #move(name: string, wanted: number | undefined): boolean {
    const move = NanoEditor.#movements[name];
    move?.(this, wanted);
    return move !== undefined;
  }

  /** To a line; `wanted` is the cell that movements up and down keep to. */
  #vertical(to: number, wanted: number | undefined): void {
    const { buffer } = this;
    const { row, column } = buffer.cursor;
    const cell = wanted ?? cellOf(buffer.line(row), column, this.#options.tabSize);
    const target = Math.max(0, Math.min(buffer.lines.length - 1, to));
    buffer.cursor = { row: target, column: columnAt(buffer.line(target), cell, this.#options.tabSize) };
    this.#wantedCell = cell;
  }

  #left(): void {
    const { buffer } = this;
    const { row, column } = buffer.cursor;
    if (column > 0) buffer.cursor = { row, column: previousColumn(buffer.line(row), column) };
    else if (row > 0) buffer.cursor = { row: row - 1, column: buffer.line(row - 1).length };
  }

  #right(): void {
    const { buffer } = this;
    const { row, column } = buffer.cursor;
    if (column < buffer.line(row).length) buffer.cursor = { row, column: nextColumn(buffer.line(row), column) };
    else if (row < buffer.lines.length - 1) buffer.cursor = { row: row + 1, column: 0 };
  }

  get #page(): number {
    return Math.max(1, this.textHeight - 2);
  }

  #pageUp(wanted: number | undefined): void {
    this.#top = Math.max(0, this.#top - this.#page);
    this.#vertical(this.buffer.cursor.row - this.#page, wanted);
  }

  #pageDown(wanted: number | undefined): void {
    this.#top = Math.min(Math.max(0, this.buffer.lines.length - 2), this.#top + this.#page);
    this.#vertical(this.buffer.cursor.row + this.#page, wanted);
  }

  #home(): void {
    this.buffer.cursor = { row: this.buffer.cursor.row, column: 0 };
  }

  #end(): void {
    const { row } = this.buffer.cursor;
    this.buffer.cursor = { row, column: this.buffer.line(row).length };
  }

  #first(): void {
    this.buffer.cursor = { row: 0, column: 0 };
  }

  #lastPlace(): void {
    this.buffer.cursor = this.buffer.end;
  }

  #wordForward(): void {
    this.buffer.cursor = this.#nextWord();
  }

  /** By key. */
  static readonly #movements: { readonly [key: string]: (editor: NanoEditor, wanted: number | undefined) => void } = {
    left: (editor) => editor.#left(),
    "C-b": (editor) => editor.#left(),
    right: (editor) => editor.#right(),
    "C-f": (editor) => editor.#right(),
    up: (editor, wanted) => editor.#vertical(editor.buffer.cursor.row - 1, wanted),
    "C-p": (editor, wanted) => editor.#vertical(editor.buffer.cursor.row - 1, wanted),
    down: (editor, wanted) => editor.#vertical(editor.buffer.cursor.row + 1, wanted),
    "C-n": (editor, wanted) => editor.#vertical(editor.buffer.cursor.row + 1, wanted),
    home: (editor) => editor.#home(),
    "C-a": (editor) => editor.#home(),
    end: (editor) => editor.#end(),
    "C-e": (editor) => editor.#end(),
    pageup: (editor, wanted) => editor.#pageUp(wanted),
    "C-y": (editor, wanted) => editor.#pageUp(wanted),
    pagedown: (editor, wanted) => editor.#pageDown(wanted),
    "C-v": (editor, wanted) => editor.#pageDown(wanted),
    "M-\\": (editor) => editor.#first(),
    "M-|": (editor) => editor.#first(),
    "M-[1;5H": (editor) => editor.#first(),
    "M-/": (editor) => editor.#lastPlace(),
    "M-?": (editor) => editor.#lastPlace(),
    "M-[1;5F": (editor) => editor.#lastPlace(),
    "M-f": (editor) => editor.#wordForward(),
    "M- ": (editor) => editor.#wordForward(),
    "M-b": (editor) => {
      editor.buffer.cursor = editor.#previousWord();
    },
  };

  #nextWord(): Position {
    const { row, column } = this.buffer.cursor;
    const match = words().next.exec(this.buffer.line(row).slice(column));
    if (match !== null) return { row, column: column + match[0].length };
    if (row + 1 >= this.buffer.lines.length) return this.buffer.end;
    const indent = words().indent.exec(this.buffer.line(row + 1))?.[0].length ?? 0;
    return { row: row + 1, column: indent };
  }

  #previousWord(): Position {
    const { row, column } = this.buffer.cursor;
    const match = words().previous.exec(this.buffer.line(row).slice(0, column));
    if (match !== null) return { row, column: match.index };
    return row === 0 ? { row: 0, column: 0 } : { row: row - 1, column: this.buffer.line(row - 1).length };
  }

  *#command(name: string, before: Kind): Sys<void> {
    const act = NanoEditor.#acts[name];
    const ask = NanoEditor.#dialogues[name];
    if (act !== undefined) act(this, before);
    else if (ask !== undefined) yield* ask(this);
    else this.status = "Unbound key";
  }

  #newLine(): void {
    const { buffer } = this;
    const indent = this.#options.autoIndent ? (/^[ \t]*/u.exec(buffer.line(buffer.cursor.row))?.[0] ?? "") : "";
    this.#replaceAtCursor(`\n${indent}`);
  }

  #paste(): void {
    if (this.#cut === "") this.status = "Cutbuffer is empty";
    else this.#replaceAtCursor(this.#cut);
  }

  #setMark(): void {
    this.#mark = this.#mark === undefined ? this.buffer.cursor : undefined;
    this.status = this.#mark === undefined ? "Mark Unset" : "Mark Set";
  }

  #undo(): void {
    this.#mark = undefined;
    this.status = this.buffer.undo() ? "Undid the last change" : "Nothing to undo";
  }

  #redo(): void {
    this.#mark = undefined;
    this.status = this.buffer.redo() ? "Redid the last change" : "Nothing to redo";
  }

  #toggleLineNumbers(): void {
    this.#options = { ...this.#options, lineNumbers: !this.#options.lineNumbers };
    this.status = `Line numbering ${this.#options.lineNumbers ? "enabled" : "disabled"}`;
  }

  *#save(): Sys<void> {
    if (this.#path === "") yield* this.#writeOut();
    else this.#write(this.#path);
  }

  /** By key: what is done at once. `before` is the kind of the key before. */
  static readonly #acts: { readonly [key: string]: (editor: NanoEditor, before: Kind) => void } = {
    enter: (editor) => editor.#newLine(),
    tab: (editor) => editor.#replaceAtCursor(editor.#tabText()),
    backspace: (editor) => editor.#erase(-1),
    delete: (editor) => editor.#erase(1),
    "C-d": (editor) => editor.#erase(1),
    "C-k": (editor, before) => editor.#cutText(before === "cutting"),
    "C-u": (editor) => editor.#paste(),
    "M-6": (editor) => editor.#copyText(),
    "M-^": (editor) => editor.#copyText(),
    "M-a": (editor) => editor.#setMark(),
    "M-A": (editor) => editor.#setMark(),
    "C-~": (editor) => editor.#setMark(),
    "M-u": (editor) => editor.#undo(),
    "M-e": (editor) => editor.#redo(),
    "C-c": (editor) => {
      editor.status = editor.#position();
    },
    "M-w": (editor) => editor.#search.next(),
    "C-l": (editor) => editor.screen.forget(),
    "M-n": (editor) => editor.#toggleLineNumbers(),
    "M-#": (editor) => editor.#toggleLineNumbers(),
  };

  /** By key: what asks on the status line, or takes the screen. */
  static readonly #dialogues: { readonly [key: string]: (editor: NanoEditor) => Sys<unknown> } = {
    "C-o": (editor) => editor.#writeOut(),
    "C-s": (editor) => editor.#save(),
    "C-r": (editor) => editor.#readFile(),
    "C-x": (editor) => editor.#exit(),
    "C-w": (editor) => editor.#search.ask(),
    "C-|": (editor) => editor.#search.replace(),
    "M-r": (editor) => editor.#search.replace(),
    "C-\x7f": (editor) => editor.askLine(),
    "M-g": (editor) => editor.askLine(),
    "C-g": (editor) => editor.#help(),
  };

  /** YAML allows no tabs: its files get two blanks. */
  #tabText(): string {
    if (/\.ya?ml$/u.test(this.#path)) return "  ";
    if (!this.#options.tabAsSpaces) return "\t";
    const { row, column } = this.buffer.cursor;
    const cell = cellOf(this.buffer.line(row), column, this.#options.tabSize);
    return " ".repeat(this.#options.tabSize - (cell % this.#options.tabSize));
  }

  #erase(direction: 1 | -1): void {
    const { buffer } = this;
    const from = buffer.cursor;
    if (this.#mark !== undefined) {
      const [first, last] = ordered(this.#mark, from);
      this.#mark = undefined;
      buffer.replace(first, last, "");
      return;
    }
    const line = buffer.line(from.row);
    let to: Position = from;
    if (direction < 0 && from.column > 0) to = { row: from.row, column: previousColumn(line, from.column) };
    else if (direction < 0 && from.row > 0) to = { row: from.row - 1, column: buffer.line(from.row - 1).length };
    else if (direction > 0 && from.column < line.length) to = { row: from.row, column: nextColumn(line, from.column) };
    else if (direction > 0 && from.row < buffer.lines.length - 1) to = { row: from.row + 1, column: 0 };
    buffer.replace(...ordered(from, to), "");
  }

  /** The marked text, or the whole line. */
  #region(): readonly [Position, Position] {
    const { buffer } = this;
    if (this.#mark !== undefined) return ordered(this.#mark, buffer.cursor);
    const { row } = buffer.cursor;
    const last = row === buffer.lines.length - 1;
    return [{ row, column: 0 }, last ? { row, column: buffer.line(row).length } : { row: row + 1, column: 0 }];
  }

  #cutText(goesOn: boolean): void {
    const [from, to] = this.#region();
    const text = this.buffer.slice(from, to);
    this.#mark = undefined;
    if (text === "") {
      this.status = "Nothing was cut";
      return;
    }
    this.#cut = goesOn ? this.#cut + text : text;
    this.buffer.replace(from, to, "");
  }

  #copyText(): void {
    const [from, to] = this.#region();
    this.#cut = this.buffer.slice(from, to);
    this.#mark = undefined;
  }

  #position(): string {
    const { buffer } = this;
    const { row, column } = buffer.cursor;
    const { tabSize } = this.#options;
    const line = buffer.line(row);
    const [at, width] = [cellOf(line, column, tabSize) + 1, cellOf(line, line.length, tabSize) + 1];
    const [before, all] = [count(buffer.slice({ row: 0, column: 0 }, buffer.cursor)), count(buffer.text)];
    const percent = (part: number, whole: number): string => String(whole === 0 ? 0 : Math.floor((100 * part) / whole)).padStart(2);
    const lines = buffer.lines.length;
    const digits = String(lines).length;
    return `line ${String(row + 1).padStart(digits)}/${lines} (${percent(row + 1, lines)}%), col ${String(at).padStart(2)}/${String(width).padStart(2)} (${percent(at, width).padStart(3)}%), char ${String(before).padStart(String(all).length)}/${all} (${percent(before, all)}%)`;
  }

  /** Asks for a line (and column) to go to. */
  *askLine(): Sys<void> {
    const answer = yield* askText(this, "Enter line number, column number");
    const place = /^\s*(-?\d*)\s*(?:[,.;]\s*(\d+))?\s*$/u.exec(answer?.text ?? "");
    if (answer === undefined) this.status = "Cancelled";
    else if (place === null || answer.text.trim() === "") this.status = "Invalid line or column number";
    else {
      const line = place[1] === "" ? this.buffer.cursor.row + 1 : Number(place[1]);
      this.goTo(line < 0 ? this.buffer.lines.length + 1 + line : line, Number(place[2] ?? 1));
    }
  }

  /** False: cancelled or refused. */
  *#writeOut(): Sys<boolean> {
    let name = this.#path;
    for (;;) {
      const answer = yield* askText(this, "File Name to Write", name);
      if (answer === undefined || answer.text === "") {
        this.status = "Cancelled";
        return false;
      }
      name = answer.text;
      if (name === this.#path || !this.self.exists(name)) break;
      const overwrite = yield* askLetter(this, `File "${name}" exists; OVERWRITE? `);
      if (overwrite === "y") break;
      if (overwrite === undefined) {
        this.status = "Cancelled";
        return false;
      }
    }
    return this.#write(name);
  }

  #write(path: string): boolean {
    const { buffer } = this;
    if (buffer.line(buffer.lines.length - 1) !== "") {
      const { cursor } = buffer;
      buffer.replace(buffer.end, buffer.end, "\n");
      buffer.cursor = cursor;
    }
    const problem = writeDocument(this.self, path, buffer.text);
    if (problem !== undefined) {
      this.status = `Error writing ${path}: ${problem}`;
      return false;
    }
    this.#path = path;
    buffer.markSaved();
    this.status = `Wrote ${lineCount(buffer.lines.length - 1)}`;
    return true;
  }

  *#readFile(): Sys<void> {
    const answer = yield* askText(this, "File to insert [from ./]");
    if (answer === undefined || answer.text === "") {
      this.status = "Cancelled";
      return;
    }
    try {
      const text = decodeUtf8(this.self.readFile(answer.text));
      this.#replaceAtCursor(text);
      this.status = `Read ${lineCount(countLines(text))}`;
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      this.status = error.code === "ENOENT" ? `File "${answer.text}" not found` : `Error reading ${answer.text}: ${error.message}`;
    }
  }

  *#exit(): Sys<void> {
    if (this.buffer.modified) {
      const answer = yield* askLetter(this, "Save modified buffer? ");
      if (answer === undefined) {
        this.status = "Cancelled";
        return;
      }
      if (answer === "y" && !(yield* this.#writeOut())) return;
    }
    this.#ended = true;
  }

  *#help(): Sys<void> {
    const { screen } = this;
    for (;;) {
      const rows = [titleBar(screen.columns, "Help", ""), ...nanoHelp.slice(0, screen.rows - 3)];
      while (rows.length < screen.rows - 2) rows.push("");
      yield* screen.draw(
        [
          ...rows,
          ...shortcutRows(screen.columns, [
            [
              ["^X", "Close"],
              ["", ""],
            ],
          ]),
        ],
        { row: 0, column: 0 },
      );
      const key = yield* screen.key();
      if (key === undefined || key.name === "C-x" || key.name === "C-g" || key.name === "C-c") return;
      if (key.name === "text" && key.text === "q") return;
    }
  }
}

const changing = new Set(["enter", "tab", "backspace", "delete", "C-d", "C-k", "C-u", "M-u", "M-e", "C-r", "C-|", "M-r"]);

function kindOf(key: Key): Kind {
  if (key.name === "text") return "typing";
  if (key.name === "backspace" || key.name === "delete" || key.name === "C-d") return "erasing";
  return key.name === "C-k" ? "cutting" : "other";
}

function count(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

function countLines(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

function lineCount(lines: number): string {
  return `${lines} line${lines === 1 ? "" : "s"}`;
}
