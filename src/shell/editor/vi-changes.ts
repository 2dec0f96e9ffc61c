// Changes at the cursor: inserting, putting, replacing, joining.

import type { Sys } from "#sim/program.ts";
import { lowerCase, upperCase } from "#sim/unicode.ts";
import { nextColumn, previousColumn } from "./columns.ts";
import type { ViEditor } from "./vi-editor.ts";
import type { Outcome } from "./vi-keys.ts";

export function* insertion(editor: ViEditor, key: string, times: number): Sys<Outcome> {
  const { buffer } = editor;
  const { row, column } = buffer.cursor;
  const line = buffer.line(row);
  const indent = /\.ya?ml$/u.test(editor.path) ? (/^ */u.exec(line)?.[0] ?? "") : "";
  if (key === "I") buffer.cursor = { row, column: /^\s*/u.exec(line)?.[0].length ?? 0 };
  else if (key === "a") buffer.cursor = { row, column: line === "" ? 0 : nextColumn(line, column) };
  else if (key === "A") buffer.cursor = { row, column: line.length };
  else if (key === "o") {
    buffer.replace({ row, column: line.length }, { row, column: line.length }, `\n${indent}`);
  } else if (key === "O") {
    buffer.replace({ row, column: 0 }, { row, column: 0 }, `${indent}\n`);
    buffer.cursor = { row, column: indent.length };
  } else if (key === "s") {
    let end = column;
    for (let i = 0; i < times && end < line.length; i += 1) end = nextColumn(line, end);
    editor.register = line.slice(column, end);
    buffer.replace(buffer.cursor, { row, column: end }, "");
  } else if (key === "S") {
    const last = Math.min(buffer.lines.length - 1, row + times - 1);
    editor.register = `${buffer.lines.slice(row, last + 1).join("\n")}\n`;
    buffer.replace({ row, column: indent.length }, { row: last, column: buffer.line(last).length }, "");
  }
  const from = buffer.cursor;
  yield* editor.insertMode(key === "R");
  if (times > 1 && (key === "i" || key === "a" || key === "A" || key === "I")) {
    const at = buffer.cursor;
    const typedTo = { row: at.row, column: nextColumn(buffer.line(at.row), at.column) };
    const typed = buffer.slice(from, typedTo);
    buffer.replace(typedTo, typedTo, typed.repeat(times - 1));
    buffer.cursor = { row: buffer.cursor.row, column: previousColumn(buffer.line(buffer.cursor.row), buffer.cursor.column) };
  }
  return "changed";
}

export function put(editor: ViEditor, key: string, times: number): void {
  const { buffer, register } = editor;
  if (register === "") {
    editor.message = 'E353: Nothing in register "';
    return;
  }
  const { row, column } = buffer.cursor;
  const line = buffer.line(row);
  if (register.endsWith("\n")) {
    const text = register.repeat(times);
    if (key === "P") buffer.replace({ row, column: 0 }, { row, column: 0 }, text);
    else buffer.replace({ row, column: line.length }, { row, column: line.length }, `\n${text.slice(0, -1)}`);
    const target = key === "P" ? row : row + 1;
    buffer.cursor = { row: target, column: editor.firstNonBlank(target) };
    return;
  }
  const at = key === "P" || line === "" ? buffer.cursor : { row, column: nextColumn(line, column) };
  buffer.replace(at, at, register.repeat(times));
  buffer.cursor = { row: buffer.cursor.row, column: previousColumn(buffer.line(buffer.cursor.row), buffer.cursor.column) };
}

export function* replaceCharacters(editor: ViEditor, times: number): Sys<Outcome> {
  const { buffer } = editor;
  const key = yield* editor.key();
  if (key.name !== "text" && key.name !== "enter") return "done";
  const { row, column } = buffer.cursor;
  const line = buffer.line(row);
  let end = column;
  for (let i = 0; i < times; i += 1) {
    if (end >= line.length) return "done";
    end = nextColumn(line, end);
  }
  if (key.name === "enter") buffer.replace(buffer.cursor, { row, column: end }, "\n");
  else {
    buffer.replace(buffer.cursor, { row, column: end }, (key.text as string).repeat(times));
    buffer.cursor = { row, column: previousColumn(buffer.line(row), buffer.cursor.column) };
  }
  return "changed";
}

export function join(editor: ViEditor, times: number): void {
  const { buffer } = editor;
  for (let i = 0; i < times; i += 1) {
    const { row } = buffer.cursor;
    if (row + 1 >= buffer.lines.length) return;
    const [line, next] = [buffer.line(row).trimEnd(), buffer.line(row + 1)];
    const indent = /^\s*/u.exec(next)?.[0].length ?? 0;
    const glue = line === "" || next.trim() === "" || next[indent] === ")" ? "" : " ";
    buffer.replace({ row, column: line.length }, { row: row + 1, column: indent }, glue);
    buffer.cursor = { row, column: line.length };
  }
}

export function changeCase(editor: ViEditor, times: number): void {
  const { buffer } = editor;
  const { row, column } = buffer.cursor;
  const text = buffer.line(row).slice(column, column + times);
  const turned = [...text].map((char) => (char === lowerCase(char) ? upperCase(char) : lowerCase(char))).join("");
  buffer.replace(buffer.cursor, { row, column: column + text.length }, turned);
}
