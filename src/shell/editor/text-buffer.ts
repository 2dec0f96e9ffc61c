// A text as lines, with one way to change it and a history of changes. Columns count UTF-16 units; the cursor never
// stands inside a character.

/** Places compare by row, then by column. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

interface Change {
  readonly at: Position;
  readonly removed: string;
  readonly inserted: string;
  readonly cursorBefore: Position;
  readonly cursorAfter: Position;
  /** Changes of one group are undone together. */
  readonly group: number;
}

const maximumChanges = 100_000;

/** Lines, a cursor, and undo in steps. Lines have no newline; there is always one line at least. */
export class TextBuffer {
  cursor: Position = { row: 0, column: 0 };
  #lines: string[];
  #done: Change[] = [];
  #undone: Change[] = [];
  #saved: Change | undefined;
  #group = 0;

  /** A final newline gives a last empty line. */
  constructor(text: string) {
    this.#lines = text.split("\n");
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  line(row: number): string {
    return this.#lines[row] ?? "";
  }

  get text(): string {
    return this.#lines.join("\n");
  }

  /** The text differs from what `markSaved` last saw. */
  get modified(): boolean {
    return this.#done.at(-1) !== this.#saved;
  }

  markSaved(): void {
    this.#saved = this.#done.at(-1);
    this.#group += 1;
  }

  /** The next change begins a new step of `undo`. */
  beginStep(): void {
    this.#group += 1;
  }

  get end(): Position {
    const row = this.#lines.length - 1;
    return { row, column: this.line(row).length };
  }

  /** The text between two places, the earlier first. */
  slice(from: Position, to: Position): string {
    if (from.row === to.row) return this.line(from.row).slice(from.column, to.column);
    const between = this.#lines.slice(from.row + 1, to.row);
    return [this.line(from.row).slice(from.column), ...between, this.line(to.row).slice(0, to.column)].join("\n");
  }

  /** Puts `text` in the place of what is between two places; the cursor goes behind it. */
  replace(from: Position, to: Position, text: string): void {
    const removed = this.slice(from, to);
    if (removed === "" && text === "") return;
    const cursorBefore = this.cursor;
    this.cursor = this.#splice(from, removed, text);
    this.#done.push({ at: from, removed, inserted: text, cursorBefore, cursorAfter: this.cursor, group: this.#group });
    if (this.#done.length > maximumChanges) this.#done.shift();
    this.#undone = [];
  }

  insert(text: string): void {
    this.replace(this.cursor, this.cursor, text);
  }

  /** Takes back the last step; false when there is none. */
  undo(): boolean {
    return this.#travel(this.#done, this.#undone, (change) => {
      this.#splice(change.at, change.inserted, change.removed);
      return change.cursorBefore;
    });
  }

  /** Does the step again that was taken back last; false when there is none. */
  redo(): boolean {
    return this.#travel(this.#undone, this.#done, (change) => {
      this.#splice(change.at, change.removed, change.inserted);
      return change.cursorAfter;
    });
  }

  #travel(from: Change[], to: Change[], turn: (change: Change) => Position): boolean {
    const group = from.at(-1)?.group;
    if (group === undefined) return false;
    while (from.at(-1)?.group === group) {
      const change = from.pop() as Change;
      this.cursor = turn(change);
      to.push(change);
    }
    this.#group += 1;
    return true;
  }

  #splice(at: Position, removed: string, inserted: string): Position {
    const end = after(at, removed);
    const tail = this.line(end.row).slice(end.column);
    const pieces = inserted.split("\n");
    pieces[0] = this.line(at.row).slice(0, at.column) + pieces[0];
    const row = at.row + pieces.length - 1;
    const column = (pieces.at(-1) as string).length;
    pieces[pieces.length - 1] += tail;
    this.#lines.splice(at.row, end.row - at.row + 1, ...pieces);
    return { row, column };
  }
}

/** Where a text ends that begins at a place. */
function after(at: Position, text: string): Position {
  const last = text.lastIndexOf("\n");
  if (last < 0) return { row: at.row, column: at.column + text.length };
  return { row: at.row + text.split("\n").length - 1, column: text.length - last - 1 };
}

/** The earlier place first. */
export function ordered(a: Position, b: Position): readonly [Position, Position] {
  return a.row < b.row || (a.row === b.row && a.column <= b.column) ? [a, b] : [b, a];
}
