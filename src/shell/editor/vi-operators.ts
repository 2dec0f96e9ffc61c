// Operators of vi: `d`, `c`, `y`, `<` and `>` with a motion.

import type { Sys } from "#sim/program.ts";
import { ordered } from "./text-buffer.ts";
import type { ViEditor } from "./vi-editor.ts";
import { counted, nameOf, type Outcome } from "./vi-keys.ts";
import { afterCharacter, motionFor } from "./vi-motion-keys.ts";
import { type Motion, textObject } from "./vi-motions.ts";

/** Commands that are an operator with a motion. */
export const shorthand: { readonly [key: string]: readonly ["d" | "c" | "y", string] } = {
  x: ["d", "l"],
  X: ["d", "h"],
  D: ["d", "$"],
  C: ["c", "$"],
  Y: ["y", "lines"],
};

export function* operator(editor: ViEditor, key: "d" | "c" | "y" | "<" | ">", times: number): Sys<Outcome> {
  const second = yield* counted(editor);
  const count = times * (second.count ?? 1);
  const given = times > 1 || second.count !== undefined ? count : undefined;
  const doubled = second.key === key;
  let motion: Motion | undefined;
  if (second.key === "i" || second.key === "a") {
    const what = nameOf(yield* editor.key());
    const { row, column } = editor.buffer.cursor;
    const found = textObject(editor.buffer.line(row), column, second.key === "i", what);
    if (found === undefined) return "done";
    editor.buffer.cursor = { row, column: found[0] };
    motion = { to: { row, column: found[1] }, span: "exclusive" };
  } else motion = yield* motionFor(editor, doubled ? "lines" : second.key, given, key === "c");
  if (motion === undefined) return "done";
  if (key === "<" || key === ">") return shift(editor, key, motion);
  return yield* operate(editor, key, motion);
}

/** The text that an operator takes. */
export function* operate(editor: ViEditor, key: "d" | "c" | "y", motion: Motion): Sys<Outcome> {
  const { buffer } = editor;
  const start = buffer.cursor;
  const [first, last] = ordered(start, motion.to);
  if (motion.span === "lines") {
    const end = { row: last.row, column: buffer.line(last.row).length };
    editor.register = `${buffer.slice({ row: first.row, column: 0 }, end)}\n`;
    const lines = last.row - first.row + 1;
    if (key === "y") {
      buffer.cursor = first.row === start.row ? start : { row: first.row, column: start.column };
      if (lines > 2) editor.message = `${lines} lines yanked`;
      return "done";
    }
    if (key === "c") {
      buffer.replace({ row: first.row, column: 0 }, end, "");
      yield* editor.insertMode();
      return "changed";
    }
    deleteLines(editor, first.row, last.row);
    if (lines > 2) editor.message = `${lines} fewer lines`;
    return "changed";
  }
  let end = motion.span === "inclusive" ? afterCharacter(editor, last) : last;
  // An exclusive motion that ends before the first word of a line ends at the end of the line before it.
  if (motion.span === "exclusive" && end.row > first.row && buffer.line(end.row).slice(0, end.column).trim() === "")
    end = { row: end.row - 1, column: buffer.line(end.row - 1).length };
  editor.register = buffer.slice(first, end);
  buffer.cursor = first;
  if (key === "y") return "done";
  buffer.replace(first, end, "");
  if (key === "c") yield* editor.insertMode();
  return "changed";
}

function deleteLines(editor: ViEditor, from: number, to: number): void {
  const { buffer } = editor;
  if (to + 1 < buffer.lines.length) buffer.replace({ row: from, column: 0 }, { row: to + 1, column: 0 }, "");
  else if (from > 0)
    buffer.replace({ row: from - 1, column: buffer.line(from - 1).length }, { row: to, column: buffer.line(to).length }, "");
  else buffer.replace({ row: 0, column: 0 }, buffer.end, "");
  const row = Math.min(from, buffer.lines.length - 1);
  buffer.cursor = { row, column: editor.firstNonBlank(row) };
}

function shift(editor: ViEditor, key: "<" | ">", motion: Motion): Outcome {
  const { buffer } = editor;
  const [first, last] = ordered(buffer.cursor, motion.to);
  const width = /\.ya?ml$/u.test(editor.path) ? 2 : 8;
  for (let row = first.row; row <= last.row; row += 1) {
    const line = buffer.line(row);
    if (key === ">" && line !== "") buffer.replace({ row, column: 0 }, { row, column: 0 }, width === 8 ? "\t" : "  ");
    const indent = new RegExp(`^(?:\t| {1,${width}})`, "u").exec(line)?.[0].length ?? 0;
    if (key === "<") buffer.replace({ row, column: 0 }, { row, column: indent }, "");
  }
  buffer.cursor = { row: first.row, column: editor.firstNonBlank(first.row) };
  return "changed";
}
