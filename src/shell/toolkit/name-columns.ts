// Names in columns.

import { textWidth } from "#sim/terminal/character-width.ts";

/** Names in columns, filled downwards, as ls and completion lists print them. */
export function columnsText(
  names: readonly string[],
  width: number,
  decorate: (name: string, index: number) => string = (name) => name,
): string {
  const widths = names.map(textWidth);
  for (let rows = 1; rows <= names.length; rows += 1) {
    const columns = Math.ceil(names.length / rows);
    const columnWidths = Array.from(
      { length: columns },
      (_, column) => Math.max(0, ...widths.slice(column * rows, (column + 1) * rows)) + (column < columns - 1 ? 2 : 0),
    );
    if (rows < names.length && columnWidths.reduce((sum, each) => sum + each, 0) > width) continue;
    let text = "";
    for (let row = 0; row < rows; row += 1) {
      let line = "";
      for (let index = row, column = 0; index < names.length; index += rows, column += 1) {
        const last = index + rows >= names.length;
        line +=
          decorate(names[index] as string, index) +
          (last ? "" : " ".repeat((columnWidths[column] as number) - (widths[index] as number)));
      }
      text += `${line}\n`;
    }
    return text;
  }
  return "";
}
