// What a terminal shows after the bytes written to it, for tests: the few control sequences that full-screen programs use.

import { characterWidth } from "#sim/terminal/character-width.ts";

export class ShownScreen {
  #rows: string[][] = [];
  #row = 0;
  #column = 0;
  #alternate = false;
  #saved: { readonly rows: string[][]; readonly row: number; readonly column: number } = { rows: [], row: 0, column: 0 };

  /** The program has the screen to itself. */
  get fullScreen(): boolean {
    return this.#alternate;
  }

  /** Row and column of the cursor, from 0. */
  get cursor(): readonly [number, number] {
    return [this.#row, this.#column];
  }

  /** The rows without blanks at their ends. */
  get rows(): readonly string[] {
    return this.#rows.map((row) => row.join("").trimEnd());
  }

  get text(): string {
    return this.rows.join("\n").trimEnd();
  }

  write(text: string): void {
    const pieces = text.matchAll(/\u001b\[(\?)?([\d;]*)([A-Za-z])|\u001b\][^\u0007]*\u0007|[^\u001b]/gsu);
    for (const [piece, priv, numbers, letter] of pieces) {
      if (letter !== undefined) this.#control(priv !== undefined, (numbers ?? "").split(";").map(Number), letter);
      else this.#put(piece);
    }
  }

  #line(): string[] {
    while (this.#rows.length <= this.#row) this.#rows.push([]);
    return this.#rows[this.#row] as string[];
  }

  #put(char: string): void {
    if (char === "\r") this.#column = 0;
    else if (char === "\n") this.#row += 1;
    else if (char === "\b") this.#column -= 1;
    else if (char >= " ") {
      const line = this.#line();
      while (line.length < this.#column) line.push(" ");
      const width = characterWidth(char);
      line[this.#column] = char;
      if (width === 2) line[this.#column + 1] = "";
      this.#column += width;
    }
  }

  #control(isPrivate: boolean, numbers: readonly number[], letter: string): void {
    const first = numbers[0] ?? 0;
    if (isPrivate) {
      if (first === 1049) {
        if (letter === "h") this.#saved = { rows: this.#rows, row: this.#row, column: this.#column };
        this.#alternate = letter === "h";
        this.#rows = letter === "h" ? [] : this.#saved.rows;
        if (letter !== "h") [this.#row, this.#column] = [this.#saved.row, this.#saved.column];
      }
      return;
    }
    const by = Math.max(1, first);
    if (letter === "H") [this.#row, this.#column] = [Math.max(1, first) - 1, Math.max(1, numbers[1] ?? 1) - 1];
    else if (letter === "A") this.#row = Math.max(0, this.#row - by);
    else if (letter === "C") this.#column += by;
    else if (letter === "K") this.#line().length = Math.min(this.#line().length, this.#column);
    else if (letter === "J") {
      this.#rows.length = first === 2 ? 0 : Math.min(this.#rows.length, this.#row + 1);
      if (first !== 2) this.#line().length = Math.min(this.#line().length, this.#column);
    }
  }
}
