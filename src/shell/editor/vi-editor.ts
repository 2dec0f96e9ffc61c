// One file in vi: the loop over keys, insert mode, and the drawing. Normal mode is in vi-normal.ts, `:` in vi-command.ts.

import { once } from "#sim/late.ts";
import type { Process, Sys } from "#sim/program.ts";
import { textWidth } from "#sim/terminal/character-width.ts";
import { classOf } from "#sim/unicode.ts";
import type { Key } from "../line/keys.ts";
import { cellOf, cells, columnAt, nextColumn, previousColumn } from "./columns.ts";
import type { Opened } from "./document.ts";
import { FullScreen } from "./full-screen.ts";
import { type Position, TextBuffer } from "./text-buffer.ts";
import { normalCommand } from "./vi-normal.ts";

/** Thrown inside when the terminal is gone. */
class TerminalGone extends Error {}

const tabSize = 8;

/** What Ctrl-W takes away. */
const wordBefore = once(() => {
  const word = `${classOf("L", "N")}_`;
  return new RegExp(`(?:[${word}]+|[^${word}\\s]+)?\\s*$`, "u");
});

export class ViEditor {
  readonly self: Process;
  readonly screen: FullScreen;
  readonly buffer: TextBuffer;
  path: string;
  readonly readOnly: boolean;
  /** The line at the bottom. */
  message = "";
  showNumbers = false;
  /** Exit status, once the learner has left. */
  ended: number | undefined;
  /** What d, c, y and x took; whole lines end in a newline. */
  register = "";
  search: { readonly pattern: RegExp; readonly forward: boolean } | undefined;
  lastFind: { readonly how: string; readonly char: string } | undefined;
  /** The file's last line has its newline. */
  finalNewline: boolean;
  #top = 0;
  #wantedCell: number | undefined;
  #inserting = false;
  /** Keys of `.`, and keys that came with others: only the latter are recorded again. */
  #replay: Key[] = [];
  #unread: Key[] = [];
  #recording: Key[] = [];
  #lastChange: readonly Key[] = [];

  constructor(self: Process, path: string, opened: Opened, options: { readonly readOnly: boolean }) {
    this.self = self;
    this.screen = new FullScreen(self);
    this.path = path;
    this.readOnly = options.readOnly;
    const text = opened.kind === "file" ? opened.text : "";
    this.finalNewline = text === "" || text.endsWith("\n");
    this.buffer = new TextBuffer(text.replace(/\n$/u, ""));
    if (opened.kind === "new") this.message = path === "" ? "" : `"${path}" [New]`;
    else if (opened.kind === "refused")
      this.message = `"${path}" ${opened.message === "Is a directory" ? "is a directory" : `[${opened.message}]`}`;
    else {
      const lines = text === "" ? 0 : this.buffer.lines.length;
      const flags = `${this.readOnly ? "[readonly] " : ""}${this.finalNewline ? "" : "[noeol] "}`;
      this.message = `"${path}" ${flags}${lines}L, ${opened.sizeBytes}B`;
    }
  }

  get textHeight(): number {
    return Math.max(1, this.screen.rows - 1);
  }

  get top(): number {
    return this.#top;
  }

  /** Counted from 1; to the first character that is no blank. */
  goToLine(line: number): void {
    const row = Math.max(0, Math.min(this.buffer.lines.length, line) - 1);
    this.buffer.cursor = { row, column: this.firstNonBlank(row) };
  }

  firstNonBlank(row: number): number {
    const line = this.buffer.line(row);
    const indent = /^\s*/u.exec(line)?.[0].length ?? 0;
    return indent === line.length ? Math.max(0, line.length - 1) : indent;
  }

  /** Up and down: keeps to the cell where the series of such motions began. */
  vertical(row: number): Position {
    const { cursor } = this.buffer;
    const cell = this.#wantedCell ?? cellOf(this.buffer.line(cursor.row), cursor.column, tabSize);
    this.#wantedCell = cell;
    const target = Math.max(0, Math.min(this.buffer.lines.length - 1, row));
    return { row: target, column: columnAt(this.buffer.line(target), cell, tabSize) };
  }

  /** `$` stays at the end of the lines that up and down lead to. */
  keepToEnd(): void {
    this.#wantedCell = Number.MAX_SAFE_INTEGER;
  }

  scrollTo(top: number): void {
    this.#top = Math.max(0, Math.min(this.buffer.lines.length - 1, top));
  }

  /** Until the learner leaves; the exit status. */
  *run(): Sys<number> {
    try {
      while (this.ended === undefined) {
        this.#clampCursor();
        const wanted = this.#wantedCell;
        this.#recording = [];
        const replaying = this.#replay.length > 0;
        const before = this.buffer.cursor;
        this.buffer.beginStep();
        const outcome = yield* normalCommand(this);
        if (outcome === "changed" && !replaying) this.#lastChange = this.#recording;
        if (outcome === "vertical" || this.#wantedCell !== wanted) continue;
        if (before !== this.buffer.cursor || outcome === "changed") this.#wantedCell = undefined;
      }
      return this.ended;
    } catch (error) {
      if (error instanceof TerminalGone) return 1;
      throw error;
    }
  }

  /** `.`: presses the keys of the last change again. */
  repeat(count: number): void {
    for (let i = 0; i < count; i += 1) this.#replay.push(...this.#lastChange);
  }

  /** The next key: one character, or a named one. */
  *key(): Sys<Key> {
    for (;;) {
      const next = this.#replay.shift();
      if (next !== undefined) return next;
      const unread = this.#unread.shift();
      if (unread === undefined) yield* this.draw();
      const key = unread ?? (yield* this.screen.key());
      if (key === undefined) throw new TerminalGone();
      if (key.name === "resize") continue;
      this.message = "";
      const [first, ...rest] = this.#inserting ? apartFromEscape(key) : pieces(key);
      if (first === undefined) continue;
      this.#unread.unshift(...rest);
      this.#recording.push(first);
      return first;
    }
  }

  /** Insert mode until Escape; `replace`: R, which types over what is there. */
  *insertMode(replace = false): Sys<void> {
    const { buffer } = this;
    this.#inserting = true;
    const label = replace ? "-- REPLACE --" : "-- INSERT --";
    for (;;) {
      this.message = label;
      const key = yield* this.key();
      const { row, column } = buffer.cursor;
      const line = buffer.line(row);
      if (key.name === "escape" || key.name === "C-c") break;
      if (key.name === "text") {
        const text = key.text as string;
        const end = replace ? Math.min(line.length, column + text.length) : column;
        buffer.replace(buffer.cursor, { row, column: end }, text);
      } else if (key.name === "enter") buffer.insert("\n");
      else if (key.name === "tab") buffer.insert(/\.ya?ml$/u.test(this.path) ? "  " : "\t");
      else if (key.name === "backspace") {
        if (column > 0) buffer.replace({ row, column: previousColumn(line, column) }, buffer.cursor, "");
        else if (row > 0) buffer.replace({ row: row - 1, column: buffer.line(row - 1).length }, buffer.cursor, "");
      } else if (key.name === "delete") {
        if (column < line.length) buffer.replace(buffer.cursor, { row, column: nextColumn(line, column) }, "");
        else if (row + 1 < buffer.lines.length) buffer.replace(buffer.cursor, { row: row + 1, column: 0 }, "");
      } else if (key.name === "C-w") {
        const word = wordBefore().exec(line.slice(0, column))?.[0].length ?? 0;
        buffer.replace({ row, column: column - word }, buffer.cursor, "");
      } else if (key.name === "C-u") buffer.replace({ row, column: 0 }, buffer.cursor, "");
      else this.#insertMotion(key.name);
    }
    this.#inserting = false;
    this.message = "";
    const { row, column } = buffer.cursor;
    buffer.cursor = { row, column: previousColumn(buffer.line(row), column) };
  }

  #insertMotion(name: string): void {
    const { buffer } = this;
    const { row, column } = buffer.cursor;
    const line = buffer.line(row);
    if (name === "left") buffer.cursor = { row, column: previousColumn(line, column) };
    else if (name === "right") buffer.cursor = { row, column: Math.min(line.length, nextColumn(line, column)) };
    else if (name === "home") buffer.cursor = { row, column: 0 };
    else if (name === "end") buffer.cursor = { row, column: line.length };
    else if (name === "up" || name === "down" || name === "pageup" || name === "pagedown") {
      const far = name.startsWith("page") ? this.textHeight - 2 : 1;
      buffer.cursor = this.vertical(row + (name === "up" || name === "pageup" ? -far : far));
      return;
    }
    this.#wantedCell = undefined;
  }

  /** A line typed at the bottom behind `:`, `/` or `?`; undefined when Escape left it. */
  *askLine(prefix: string): Sys<string | undefined> {
    let text = "";
    for (;;) {
      this.message = prefix + text;
      const key = yield* this.key();
      if (key.name === "enter") {
        this.message = "";
        return text;
      }
      if (key.name === "escape" || key.name === "C-c" || (key.name === "backspace" && text === "")) {
        this.message = "";
        return undefined;
      }
      if (key.name === "text") text += key.text as string;
      else if (key.name === "backspace") text = [...text].slice(0, -1).join("");
      else if (key.name === "C-u") text = "";
      else if (key.name === "C-w") text = text.replace(/\S*\s*$/u, "");
    }
  }

  /** In normal mode the cursor stands on a character. */
  #clampCursor(): void {
    const { row, column } = this.buffer.cursor;
    const target = Math.max(0, Math.min(this.buffer.lines.length - 1, row));
    const line = this.buffer.line(target);
    const last = previousColumn(line, line.length);
    if (target !== row || column > last) this.buffer.cursor = { row: target, column: Math.min(column, last) };
  }

  *draw(): Sys<void> {
    const { columns } = this.screen;
    const { buffer } = this;
    const { cursor } = buffer;
    const margin = this.showNumbers ? Math.max(4, String(buffer.lines.length).length + 1) : 0;
    const width = Math.max(1, columns - margin);
    this.#keepVisible(width);
    const rows: string[] = [];
    let cursorRow = 0;
    for (let row = this.#top; rows.length < this.textHeight; row += 1) {
      if (row >= buffer.lines.length) {
        rows.push("~");
        continue;
      }
      if (row === cursor.row) cursorRow = rows.length;
      const line = buffer.line(row);
      for (let part = 0; part < heightOf(line, width) && rows.length < this.textHeight; part += 1) {
        const shown = part > 0 ? "" : `${row + 1} `;
        const number = margin === 0 ? "" : shown.padStart(margin);
        rows.push(number + cells(line, part * width, width, tabSize));
      }
    }
    const cell = cellOf(buffer.line(cursor.row), cursor.column, tabSize);
    const ruler = `${cursor.row + 1},${rulerColumn(buffer.line(cursor.row), cursor.column)}`;
    const asking = /^[:/?]/u.test(this.message);
    const message = cells(this.message, 0, columns - 1, tabSize);
    const room = columns - 18;
    rows.push(asking || textWidth(message) >= room ? message : `${message}${" ".repeat(room - textWidth(message))}${ruler}`);
    yield* this.screen.draw(
      rows,
      asking
        ? { row: this.textHeight, column: textWidth(message) }
        : { row: Math.min(this.textHeight - 1, cursorRow + Math.floor(cell / width)), column: margin + (cell % width) },
    );
  }

  /** Moves the window so that the cursor's line is in it as a whole. */
  #keepVisible(width: number): void {
    const { row } = this.buffer.cursor;
    const height = this.textHeight;
    if (row < this.#top) this.#top = this.#top - row > height ? Math.max(0, row - (height >> 1)) : row;
    if (row - this.#top > height * 2) this.#top = Math.max(0, row - (height >> 1));
    let used = 0;
    for (let at = this.#top; at <= row; at += 1) used += heightOf(this.buffer.line(at), width);
    while (used > height && this.#top < row) {
      used -= heightOf(this.buffer.line(this.#top), width);
      this.#top += 1;
    }
  }
}

/** A paste is as many keys as it has characters, outside insert mode. */
function pieces(key: Key): readonly Key[] {
  if (key.name !== "text") return apartFromEscape(key);
  return [...(key.text as string)].map((text): Key => (text === "\n" ? { name: "enter" } : { name: "text", text }));
}

/** Escape and a letter pressed fast arrive as one key of the Alt kind. */
function apartFromEscape(key: Key): readonly Key[] {
  const letter = /^M-(.)$/su.exec(key.name)?.[1];
  if (letter === undefined) return [key];
  return [{ name: "escape" }, letter === "\r" ? { name: "enter" } : { name: "text", text: letter }];
}

/** Rows that a line takes when it is wrapped. */
function heightOf(line: string, width: number): number {
  return Math.max(1, Math.ceil(cellOf(line, line.length, tabSize) / width));
}

function rulerColumn(line: string, column: number): string {
  if (line === "") return "0-1";
  const bytes = new TextEncoder().encode(line.slice(0, column)).length + 1;
  const cell = cellOf(line, column, tabSize) + 1;
  return bytes === cell ? String(cell) : `${bytes}-${cell}`;
}
