// Lines that are wider than the screen.

import { characterWidth } from "#sim/terminal/character-width.ts";

/** As much of a line as fits into so many cells. */
export function cutLine(line: string, columns: number): string {
  let width = 0;
  let text = "";
  for (const char of line) {
    width += characterWidth(char);
    if (width > columns) break;
    text += char;
  }
  return text;
}
