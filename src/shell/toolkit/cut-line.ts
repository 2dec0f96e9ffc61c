// Lines that are wider than the screen.

import { characterWidth } from "#sim/terminal/character-width.ts";

export function cutTo(line: string, columns: number): string {
  let width = 0;
  let text = "";
  for (const char of line) {
    width += characterWidth(char);
    if (width > columns) break;
    text += char;
  }
  return text;
}
