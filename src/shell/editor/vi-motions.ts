// Where vi's motions lead.

import { isWordCharacter } from "#sim/unicode.ts";
import { nextColumn, previousColumn } from "./columns.ts";
import type { Position, TextBuffer } from "./text-buffer.ts";

export interface Motion {
  readonly to: Position;
  /** How an operator takes it: whole lines, or characters with or without the one at its end. */
  readonly span: "lines" | "inclusive" | "exclusive";
}

type CharacterClass = "blank" | "word" | "other";

function classOf(char: string | undefined, big: boolean): CharacterClass {
  if (char === undefined || /\s/u.test(char)) return "blank";
  return big || isWordCharacter(char) ? "word" : "other";
}

/** The character at a place; an empty line counts as a blank of its own. */
function classAt(buffer: TextBuffer, at: Position, big: boolean): CharacterClass {
  return classOf(buffer.line(at.row)[at.column], big);
}

/** To the beginning of a word: `w`, `W`. */
export function nextWord(buffer: TextBuffer, from: Position, big: boolean): Position {
  const begun = classAt(buffer, from, big);
  let at = from;
  while (at.column < buffer.line(at.row).length && begun !== "blank" && classAt(buffer, at, big) === begun)
    at = { row: at.row, column: nextColumn(buffer.line(at.row), at.column) };
  for (;;) {
    const line = buffer.line(at.row);
    while (at.column < line.length && classAt(buffer, at, big) === "blank")
      at = { row: at.row, column: nextColumn(line, at.column) };
    if (at.column < line.length) return at;
    if (at.row + 1 >= buffer.lines.length) return buffer.end;
    at = { row: at.row + 1, column: 0 };
    if (buffer.line(at.row) === "") return at;
  }
}

/** To the end of a word: `e`, `E`. */
export function wordEnd(buffer: TextBuffer, from: Position, big: boolean): Position {
  let at: Position = { row: from.row, column: nextColumn(buffer.line(from.row), from.column) };
  for (;;) {
    const line = buffer.line(at.row);
    while (at.column < line.length && classAt(buffer, at, big) === "blank")
      at = { row: at.row, column: nextColumn(line, at.column) };
    if (at.column < line.length) break;
    if (at.row + 1 >= buffer.lines.length) return buffer.end;
    at = { row: at.row + 1, column: 0 };
  }
  const line = buffer.line(at.row);
  const kind = classAt(buffer, at, big);
  for (;;) {
    const next = nextColumn(line, at.column);
    if (next >= line.length || classOf(line[next], big) !== kind) return at;
    at = { row: at.row, column: next };
  }
}

/** Back to the beginning of a word: `b`, `B`. */
export function previousWord(buffer: TextBuffer, from: Position, big: boolean): Position {
  let at = from;
  for (;;) {
    const line = buffer.line(at.row);
    while (at.column > 0 && classOf(line[previousColumn(line, at.column)], big) === "blank")
      at = { row: at.row, column: previousColumn(line, at.column) };
    if (at.column > 0) break;
    if (at.row === 0) return { row: 0, column: 0 };
    at = { row: at.row - 1, column: buffer.line(at.row - 1).length };
    if (at.column === 0) return at;
  }
  const line = buffer.line(at.row);
  const kind = classOf(line[previousColumn(line, at.column)], big);
  while (at.column > 0 && classOf(line[previousColumn(line, at.column)], big) === kind)
    at = { row: at.row, column: previousColumn(line, at.column) };
  return at;
}

/** To a character of the line: `f`, `F`, `t`, `T`. */
export function findCharacter(line: string, column: number, how: string, wanted: string, count: number): number | undefined {
  const forward = how === "f" || how === "t";
  let at = column;
  for (let left = count; left > 0; left -= 1) {
    if (forward) at = line.indexOf(wanted, at + 1);
    else at = line.slice(0, at).lastIndexOf(wanted);
    if (at < 0) return undefined;
  }
  if (how === "t") return previousColumn(line, at);
  return how === "T" ? nextColumn(line, at) : at;
}

/** To the bracket that belongs to the first bracket from the cursor on: `%`. */
export function matchingBracket(buffer: TextBuffer, from: Position): Position | undefined {
  const pairs = "()[]{}";
  const line = buffer.line(from.row);
  const start = [...line.slice(from.column)].findIndex((char) => pairs.includes(char));
  if (start < 0) return undefined;
  let [row, column] = [from.row, from.column + start];
  const open = line[column] as string;
  const index = pairs.indexOf(open);
  const step = index % 2 === 0 ? 1 : -1;
  const close = pairs[index + step] as string;
  for (let depth = 0; ; ) {
    const char = buffer.line(row)[column];
    if (char === open) depth += 1;
    if (char === close) depth -= 1;
    if (depth === 0) return { row, column };
    column += step;
    while (column < 0 || column >= buffer.line(row).length) {
      row += step;
      if (row < 0 || row >= buffer.lines.length) return undefined;
      column = step > 0 ? 0 : buffer.line(row).length - 1;
      if (buffer.line(row) !== "") break;
    }
  }
}

/** To the empty line before or behind: `{`, `}`. */
export function paragraph(buffer: TextBuffer, row: number, step: 1 | -1): Position {
  let at = row + step;
  while (at > 0 && at < buffer.lines.length - 1 && buffer.line(at) !== "") at += step;
  const target = Math.max(0, Math.min(buffer.lines.length - 1, at));
  return { row: target, column: step < 0 ? 0 : buffer.line(target).length };
}

/** `iw`, `aw`, `i"` and the like: from and to within a line. */
export function textObject(line: string, column: number, inner: boolean, what: string): readonly [number, number] | undefined {
  if (what === "w" || what === "W") {
    const big = what === "W";
    const kind = classOf(line[column], big);
    let [from, to] = [column, column];
    while (from > 0 && classOf(line[previousColumn(line, from)], big) === kind) from = previousColumn(line, from);
    while (to < line.length && classOf(line[to], big) === kind) to = nextColumn(line, to);
    if (!inner) while (to < line.length && classOf(line[to], big) === "blank") to = nextColumn(line, to);
    return [from, to];
  }
  const pairs: { readonly [key: string]: readonly [string, string] } = {
    '"': ['"', '"'],
    "'": ["'", "'"],
    "`": ["`", "`"],
    "(": ["(", ")"],
    ")": ["(", ")"],
    "[": ["[", "]"],
    "]": ["[", "]"],
    "{": ["{", "}"],
    "}": ["{", "}"],
  };
  const pair = pairs[what];
  if (pair === undefined) return undefined;
  let from = line.lastIndexOf(pair[0], line[column] === pair[1] && pair[0] !== pair[1] ? column - 1 : column);
  if (from < 0) from = line.indexOf(pair[0], column);
  const to = from < 0 ? -1 : line.indexOf(pair[1], from + 1);
  if (to < 0) return undefined;
  return inner ? [from + 1, to] : [from, to + 1];
}
