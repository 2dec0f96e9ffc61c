// Aligns text by its tabs as Go's text/tabwriter does: a column is a run of consecutive lines that all end a cell there,
// as wide as its widest cell; the text behind a line's last tab belongs to no column.

const graphemes = (text: string): number => (/^[\x20-\x7e]*$/.test(text) ? text.length : [...text].length);

/** Replaces tabs by spaces, with at least `padding` behind each cell. */
export function alignTabs(text: string, padding: number): string {
  const lines = text.split("\n").map((line) => line.split("\t"));
  const widths: number[][] = lines.map(() => []);
  const measure = (first: number, last: number, column: number): void => {
    for (const [start, end] of runsWith(column, lines, first, last)) {
      let width = 0;
      for (const cells of lines.slice(start, end)) width = Math.max(width, graphemes(cells[column] as string) + padding);
      for (const row of widths.slice(start, end)) row[column] = width;
      measure(start, end, column + 1);
    }
  };
  measure(0, lines.length, 0);
  return lines.map((cells, row) => cells.map((cell, column) => padded(cell, widths[row]?.[column])).join("")).join("\n");
}

function padded(cell: string, width: number | undefined): string {
  return width === undefined ? cell : cell + " ".repeat(width - graphemes(cell));
}

/** The runs of lines from `first` to `last` that end a cell in `column`: half-open ranges. */
function runsWith(
  column: number,
  lines: readonly (readonly string[])[],
  first: number,
  last: number,
): readonly (readonly [start: number, end: number])[] {
  const runs: (readonly [number, number])[] = [];
  const endsCell = (row: number): boolean => (lines[row] as readonly string[]).length > column + 1;
  for (let row = first; row < last; row += 1) {
    const start = row;
    while (row < last && endsCell(row)) row += 1;
    if (row > start) runs.push([start, row]);
  }
  return runs;
}
