// Draws the prompt and the line, wrapped over as many rows as they take, with the cursor where it belongs.

import { characterWidth } from "#sim/terminal/character-width.ts";

interface Position {
  readonly row: number;
  readonly column: number;
}

/** Walks text over the screen; escape sequences take no room. */
function advance(from: Position, text: string, columns: number): Position {
  let { row, column } = from;
  const plain = text.replace(/\u001b(?:\[[\d;?]*[A-Za-z]|\][^\u0007]*\u0007)/gu, "");
  for (const char of plain) {
    if (char === "\n") {
      row += 1;
      column = 0;
      continue;
    }
    if (char === "\r") {
      column = 0;
      continue;
    }
    const width = shownCharacter(char) === char ? characterWidth(char) : 2;
    if (column + width > columns) {
      row += 1;
      column = 0;
    }
    column += width;
  }
  return { row, column };
}

/** Control characters show as ^X. */
function shownCharacter(char: string): string {
  const code = char.codePointAt(0) as number;
  return code < 32 && char !== "\n" ? `^${String.fromCharCode(code + 64)}` : char;
}

export class LineScreen {
  /** Row of the cursor below the row where the prompt began. */
  #row = 0;

  /** What to send so that the screen shows prompt and line. The cursor must be where the last drawing left it. */
  draw(prompt: string, characters: readonly string[], cursor: number, columns: number): string {
    const start: Position = { row: 0, column: 0 };
    const afterPrompt = advance(start, prompt, columns);
    const text = characters.map(shownCharacter).join("");
    const at = advance(afterPrompt, characters.slice(0, cursor).join(""), columns);
    const end = advance(afterPrompt, characters.join(""), columns);
    // A full last column leaves the terminal's cursor on it: go to the next row by hand.
    const wrap = (position: Position) => (position.column >= columns ? { row: position.row + 1, column: 0 } : position);
    const [target, last] = [wrap(at), wrap(end)];
    let output = "\r";
    if (this.#row > 0) output += `\x1b[${this.#row}A`;
    output += `\x1b[J${prompt}${text}`;
    if (end.column >= columns) output += "\n";
    if (last.row > target.row) output += `\x1b[${last.row - target.row}A`;
    output += "\r";
    if (target.column > 0) output += `\x1b[${target.column}C`;
    this.#row = target.row;
    return output;
  }

  /** Forgets the drawing: the next begins at the cursor's row. */
  reset(): void {
    this.#row = 0;
  }
}
