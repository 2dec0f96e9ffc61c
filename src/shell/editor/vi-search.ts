// vi's patterns and the search for them.

import { previousColumn } from "./columns.ts";
import type { Position, TextBuffer } from "./text-buffer.ts";

/** A pattern in vim's usual ("magic") notation; undefined when it is none. Lower case `\c` ignores case. */
export function compilePattern(text: string): RegExp | undefined {
  let source = "";
  let ignoreCase = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] as string;
    if (char === "\\") {
      const next = text[++i] ?? "\\";
      if (next === "c") ignoreCase = true;
      else if (next === "<" || next === ">") source += "\\b";
      else if ("(){}|+?".includes(next)) source += next;
      else if (next === "=") source += "?";
      else source += `\\${next}`;
    } else source += "(){}|+?".includes(char) ? `\\${char}` : char;
  }
  try {
    return new RegExp(source, ignoreCase ? "gi" : "g");
  } catch {
    return undefined;
  }
}

function besides(columns: readonly number[], column: number, forward: boolean): number | undefined {
  return forward ? columns.find((at) => at > column) : columns.findLast((at) => at < column);
}

/** The next match behind (or before) a place, around the ends of the text. */
export function searchFrom(
  buffer: TextBuffer,
  from: Position,
  pattern: RegExp,
  forward: boolean,
): { readonly at: Position; readonly wrapped: boolean } | undefined {
  const rows = buffer.lines.length;
  for (let step = 0; step <= rows; step += 1) {
    const row = (((from.row + (forward ? step : -step)) % rows) + rows) % rows;
    const columns = [...buffer.line(row).matchAll(pattern)].map(({ index }) => index);
    const column = step === 0 ? besides(columns, from.column, forward) : columns.at(forward ? 0 : -1);
    if (column === undefined) continue;
    const line = buffer.line(row);
    const at = { row, column: column === line.length ? previousColumn(line, column) : column };
    return { at, wrapped: forward ? from.row + step >= rows : from.row - step < 0 };
  }
  return undefined;
}
