// Search and replace in nano: without regard to case, around the end of the file.

import type { Sys } from "#sim/program.ts";
import { lowerCase } from "#sim/unicode.ts";
import type { NanoEditor } from "./nano-editor.ts";
import { askLetter, askText } from "./nano-prompt.ts";
import type { Position } from "./text-buffer.ts";

export class NanoSearch {
  readonly #editor: NanoEditor;
  #wanted = "";
  #replacement = "";

  constructor(editor: NanoEditor) {
    this.#editor = editor;
  }

  *ask(): Sys<void> {
    const answer = yield* askText(this.#editor, `Search${this.#remembered()}`, "", ["C-r", "C-t"]);
    if (answer?.key === "C-r") return yield* this.replace();
    if (answer?.key === "C-t") return yield* this.#editor.askLine();
    if (!this.#accept(answer?.text)) return;
    this.next();
  }

  /** To the next occurrence behind the cursor. */
  next(): void {
    const editor = this.#editor;
    if (this.#wanted === "") {
      editor.status = "No current search pattern";
      return;
    }
    const { cursor } = editor.buffer;
    const found = this.#find({ row: cursor.row, column: cursor.column + 1 });
    if (found === undefined) editor.status = `"${this.#wanted}" not found`;
    else {
      const same = found.at.row === cursor.row && found.at.column === cursor.column;
      if (same) editor.status = "This is the only occurrence";
      else if (found.wrapped) editor.status = "Search Wrapped";
      editor.buffer.cursor = found.at;
    }
  }

  *replace(): Sys<void> {
    const editor = this.#editor;
    const wanted = yield* askText(editor, `Search (to replace)${this.#remembered()}`);
    if (!this.#accept(wanted?.text)) return;
    const replacement = yield* askText(editor, "Replace with", this.#replacement);
    if (replacement === undefined) {
      editor.status = "Cancelled";
      return;
    }
    this.#replacement = replacement.text;
    const { buffer } = editor;
    const start = buffer.cursor;
    let replaced = 0;
    let all = false;
    let from = start;
    let wrapped = false;
    for (;;) {
      const found = this.#find(from);
      if (found === undefined) break;
      wrapped ||= found.wrapped;
      if (wrapped && (found.wrapped ? found.at.row > start.row : false)) break;
      if (wrapped && (found.at.row > start.row || (found.at.row === start.row && found.at.column >= start.column))) break;
      buffer.cursor = found.at;
      const end = { row: found.at.row, column: found.at.column + this.#wanted.length };
      if (!all) {
        const answer = yield* askLetter(editor, "Replace this instance? ", [
          ["y", "Yes"],
          ["n", "No"],
          ["a", "All"],
        ]);
        if (answer === undefined) {
          editor.status = "Cancelled";
          break;
        }
        all = answer === "a";
        if (answer === "n") {
          from = end;
          continue;
        }
      }
      buffer.replace(found.at, end, this.#replacement);
      replaced += 1;
      from = buffer.cursor;
    }
    if (replaced === 0 && editor.status === "") editor.status = `"${this.#wanted}" not found`;
    else if (replaced > 0) editor.status = `Replaced ${replaced} occurrence${replaced === 1 ? "" : "s"}`;
  }

  #remembered(): string {
    return this.#wanted === "" ? "" : ` [${this.#wanted}]`;
  }

  #accept(text: string | undefined): boolean {
    if (text !== undefined && text !== "") this.#wanted = text;
    if (text !== undefined && this.#wanted !== "") return true;
    this.#editor.status = "Cancelled";
    return false;
  }

  #find(from: Position): { readonly at: Position; readonly wrapped: boolean } | undefined {
    const { buffer } = this.#editor;
    const wanted = lowerCase(this.#wanted);
    const rows = buffer.lines.length;
    for (let step = 0; step <= rows; step += 1) {
      const row = (from.row + step) % rows;
      const column = lowerCase(buffer.line(row)).indexOf(wanted, step === 0 ? from.column : 0);
      if (column >= 0) return { at: { row, column }, wrapped: from.row + step >= rows || (step === rows && step > 0) };
    }
    return undefined;
  }
}
