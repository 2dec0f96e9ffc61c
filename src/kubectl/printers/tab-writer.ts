// Columns as kubectl lines them up: at least six wide, three blanks between; widths are remembered for rows that follow in a watch.

const minimumWidth = 6;
const padding = 3;

function widthOf(text: string): number {
  let width = 0;
  for (const _ of text) width += 1;
  return width;
}

export class TabWriter {
  #lines: string[][] = [];
  readonly #remembered: number[] = [];
  readonly #remember: boolean;

  constructor(options: { readonly remember?: boolean } = {}) {
    this.#remember = options.remember === true;
  }

  /** A line of cells. The last cell is not padded. */
  row(cells: readonly string[]): void {
    this.#lines.push([...cells]);
  }

  /** The lines so far; the next ones start anew (with the widths reached, when they are remembered). */
  flush(): string {
    const lines = this.#lines;
    this.#lines = [];
    const widths = lines.map((): number[] => []);
    const columns = Math.max(0, ...lines.map((line) => line.length - 1));
    for (let column = 0; column < columns; column += 1) {
      for (let start = 0; start < lines.length; start += 1) {
        if ((lines[start] as string[]).length - 1 <= column) continue;
        let end = start;
        let width = minimumWidth;
        for (; end < lines.length && (lines[end] as string[]).length - 1 > column; end += 1) {
          width = Math.max(width, widthOf((lines[end] as string[])[column] as string) + padding);
        }
        if (this.#remember) {
          width = Math.max(width, this.#remembered[column] ?? 0);
          this.#remembered[column] = width;
        }
        for (let line = start; line < end; line += 1) (widths[line] as number[])[column] = width;
        start = end - 1;
      }
    }
    return lines
      .map((line, index) => {
        const last = line.length - 1;
        const padded = line.map((cell, column) =>
          column === last ? cell : cell + " ".repeat(((widths[index] as number[])[column] ?? 0) - widthOf(cell)),
        );
        return `${padded.join("")}\n`;
      })
      .join("");
  }

  forgetWidths(): void {
    this.#remembered.length = 0;
  }
}
