// What nano's screen shows: rows of text for FullScreen.

import { textWidth } from "#sim/terminal/character-width.ts";
import { cellOf, cells } from "./columns.ts";
import { reversed } from "./full-screen.ts";
import type { TextBuffer } from "./text-buffer.ts";

/** A key as nano writes it, and what it does. */
export type Shortcut = readonly [key: string, label: string];

/** The upper and the lower one of each column, the most useful first: narrow screens show fewer. */
export const mainShortcuts: readonly (readonly [Shortcut, Shortcut])[] = [
  [
    ["^G", "Help"],
    ["^X", "Exit"],
  ],
  [
    ["^O", "Write Out"],
    ["^R", "Read File"],
  ],
  [
    ["^W", "Where Is"],
    ["^\\", "Replace"],
  ],
  [
    ["^K", "Cut"],
    ["^U", "Paste"],
  ],
  [
    ["M-U", "Undo"],
    ["M-E", "Redo"],
  ],
  [
    ["^C", "Location"],
    ["^/", "Go To Line"],
  ],
  [
    ["M-A", "Set Mark"],
    ["M-6", "Copy"],
  ],
];

export function titleBar(columns: number, name: string, state: string): string {
  const brand = "  GNU nano 7.2";
  const title = name === "" ? "New Buffer" : name;
  const room = columns - brand.length - state.length - 3;
  if (room < 4) return reversed(cells(` ${title}`, 0, columns, 8).padEnd(columns));
  const width = textWidth(title);
  const shown = width <= room ? title : `...${cells(title, width - room + 3, room - 3, 8)}`;
  const shownWidth = Math.min(width, room);
  const at = Math.max(brand.length + 2, Math.min((columns - shownWidth) >> 1, columns - state.length - shownWidth - 1));
  const left = brand.padEnd(at) + shown;
  const used = at + shownWidth;
  return reversed(left + " ".repeat(Math.max(0, columns - used - state.length)) + state);
}

/** Two rows; each column as wide as the others. */
export function shortcutRows(columns: number, pairs: readonly (readonly [Shortcut, Shortcut])[]): readonly [string, string] {
  const count = Math.max(1, Math.min(pairs.length, Math.floor((columns + 40) / 20)));
  const width = Math.floor(columns / Math.max(count, 2));
  const row = (which: 0 | 1): string =>
    pairs
      .slice(0, count)
      .map((pair) => {
        const [key, label] = pair[which];
        if (key === "") return " ".repeat(width);
        const room = Math.max(0, width - key.length - 1);
        return `${reversed(key)} ${label.slice(0, room).padEnd(room)}`;
      })
      .join("");
  return [row(0), row(1)];
}

export interface TextViewOptions {
  readonly columns: number;
  readonly rows: number;
  readonly tabSize: number;
  /** Width of the margin with line numbers; 0 without. */
  readonly margin: number;
  /** Where a marked region begins; the cursor is its other end. */
  readonly selection: readonly [{ row: number; column: number }, { row: number; column: number }] | undefined;
}

/** The first cell that is shown of the line with the cursor: long lines move by nearly a screen. */
export function leftCell(cursorCell: number, width: number): number {
  if (cursorCell < width - 1 || width < 9) return 0;
  const step = width - 8;
  return (Math.floor((cursorCell - width + 1) / step) + 1) * step;
}

/** The rows of text from `top`. A line that goes on behind an edge ends in `>` or begins with `<`. */
export function textRows(buffer: TextBuffer, top: number, options: TextViewOptions): readonly string[] {
  const { columns, rows, tabSize, margin, selection } = options;
  const width = columns - margin;
  const shown: string[] = [];
  for (let row = top; row < top + rows; row += 1) {
    if (row >= buffer.lines.length) {
      shown.push("");
      continue;
    }
    const line = buffer.line(row);
    const from = row === buffer.cursor.row ? leftCell(cellOf(line, buffer.cursor.column, tabSize), width) : 0;
    const number = margin === 0 ? "" : reversed(`${String(row + 1).padStart(margin - 1)} `);
    shown.push(number + (isMarked(row, selection) ? markedRow() : plainRow(line, from, width, tabSize)));

    function markedRow(): string {
      const [first, last] = selection as NonNullable<typeof selection>;
      const begin = row === first.row ? cellOf(line, first.column, tabSize) - from : 0;
      const end = row === last.row ? cellOf(line, last.column, tabSize) - from : width;
      const text = cells(line, from, width, tabSize);
      const [a, b] = [Math.max(0, Math.min(width, begin)), Math.max(0, Math.min(width, end))];
      return cells(text, 0, a, tabSize) + reversed(cells(text, a, b - a, tabSize)) + cells(text, b, width - b, tabSize);
    }
  }
  return shown;
}

function isMarked(row: number, selection: TextViewOptions["selection"]): boolean {
  return selection !== undefined && row >= selection[0].row && row <= selection[1].row;
}

function plainRow(line: string, from: number, width: number, tabSize: number): string {
  const total = cellOf(line, line.length, tabSize);
  const cutRight = total > from + width;
  const cutLeft = from > 0 && total > from;
  const text = cells(line, from + (cutLeft ? 1 : 0), width - (cutLeft ? 1 : 0) - (cutRight ? 1 : 0), tabSize);
  return `${cutLeft ? reversed("<") : ""}${text}${cutRight ? reversed(">") : ""}`;
}
