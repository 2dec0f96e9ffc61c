// Between characters of a line and cells of the screen.

import { characterWidth } from "#sim/terminal/character-width.ts";

/** Cells that a character takes when it begins at a cell: tabs go to the next multiple of the tab size. */
function cellsOf(char: string, at: number, tabSize: number): number {
  if (char === "\t") return tabSize - (at % tabSize);
  return isControl(char) ? 2 : characterWidth(char);
}

function isControl(char: string): boolean {
  const code = char.codePointAt(0) as number;
  return code < 32 || code === 127;
}

/** The cell at which a column of a line begins. */
export function cellOf(line: string, column: number, tabSize: number): number {
  let cell = 0;
  for (const char of line.slice(0, column)) cell += cellsOf(char, cell, tabSize);
  return cell;
}

/** The column whose character covers a cell; the end of the line when the cell is behind it. */
export function columnAt(line: string, cell: number, tabSize: number): number {
  let at = 0;
  let column = 0;
  for (const char of line) {
    const cells = cellsOf(char, at, tabSize);
    if (at + cells > cell) return column;
    at += cells;
    column += char.length;
  }
  return column;
}

/** The column of the next character; marks without width of their own belong to the one before them. */
export function nextColumn(line: string, column: number): number {
  let next = column + (String.fromCodePoint(line.codePointAt(column) ?? 0).length || 1);
  while (next < line.length) {
    const char = String.fromCodePoint(line.codePointAt(next) as number);
    if (isControl(char) || characterWidth(char) > 0) break;
    next += char.length;
  }
  return Math.min(next, line.length);
}

/** The column of the character before. */
export function previousColumn(line: string, column: number): number {
  let before = 0;
  for (let at = 0; at < column && at < line.length; at = nextColumn(line, at)) before = at;
  return before;
}

/** The cells [from, from + width) of a line as text; a wide character that is cut leaves a blank. */
export function cells(line: string, from: number, width: number, tabSize: number): string {
  let at = 0;
  let text = "";
  for (const char of line) {
    const size = cellsOf(char, at, tabSize);
    const end = at + size;
    if (end > from + width) return text + " ".repeat(Math.max(0, from + width - Math.max(at, from)));
    if (at >= from) text += shown(char, size);
    else if (end > from) text += " ".repeat(end - from);
    at = end;
  }
  return text;
}

function shown(char: string, size: number): string {
  if (char === "\t") return " ".repeat(size);
  if (!isControl(char)) return char;
  return `^${String.fromCharCode(((char.codePointAt(0) as number) + 64) & 127)}`;
}
