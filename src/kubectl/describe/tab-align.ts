// Aligns text by its tabs as Go's text/tabwriter does: a column is a run of consecutive lines that all end a cell there,
// as wide as its widest cell; the text behind a line's last tab belongs to no column.

const graphemes = (text: string): number => (/^[\x20-\x7e]*$/.test(text) ? text.length : [...text].length);

/** Replaces tabs by spaces, with at least `padding` behind each cell. */
export function alignTabs(text: string, padding: number): string {
  const lines = text.split("\n").map((line) => line.split("\t"));
  const widths: number[][] = lines.map(() => []);
  measure(lines, widths, 0, lines.length, 0, padding);
  return lines.map((cells, row) => cells.map((cell, column) => padded(cell, widths[row]?.[column])).join("")).join("\n");
}

function padded(cell: string, width: number | undefined): string {
  return width === undefined ? cell : cell + " ".repeat(width - graphemes(cell));
}

/** Sets the width of `column` for every run of lines from `first` to `last` that has it, then of the columns to its right. */
function measure(
  lines: readonly string[][],
  widths: number[][],
  first: number,
  last: number,
  column: number,
  padding: number,
): void {
  const endsCell = (row: number): boolean => (lines[row] as string[]).length > column + 1;
  let row = first;
  while (row < last) {
    if (!endsCell(row)) {
      row += 1;
      continue;
    }
    const start = row;
    let width = 0;
    for (; row < last && endsCell(row); row += 1)
      width = Math.max(width, graphemes((lines[row] as string[])[column] as string) + padding);
    for (let member = start; member < row; member += 1) (widths[member] as number[])[column] = width;
    measure(lines, widths, start, row, column + 1, padding);
  }
}
