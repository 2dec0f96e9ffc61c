// The questions that nano asks on its status line.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import type { Sys } from "#sim/program.ts";
import { cellOf, cells, nextColumn, previousColumn } from "./columns.ts";
import type { NanoEditor } from "./nano-editor.ts";
import type { Shortcut } from "./nano-view.ts";

/** What was typed, or undefined when it was cancelled (or the terminal is gone). */
export function* askText(
  editor: NanoEditor,
  question: string,
  initial = "",
  /** Keys that leave the question with a meaning of their own. */
  others: readonly string[] = [],
): Sys<{ readonly text: string; readonly key: string } | undefined> {
  let text = initial;
  let column = text.length;
  for (;;) {
    const { columns } = editor.screen;
    const label = `${question}: `;
    const room = Math.max(1, columns - label.length - 1);
    const at = cellOf(text, column, 8);
    const from = at < room ? 0 : at - room + 1;
    const bar = cells(label + cells(text, from, room, 8), 0, columns, 8);
    yield* editor.drawWithBar(bar, label.length + at - from, questionShortcuts(others));
    const key = yield* editor.screen.key();
    if (key === undefined || key.name === "C-c") return undefined;
    if (key.name === "text") {
      const typed = (key.text as string).replaceAll("\n", " ");
      text = text.slice(0, column) + typed + text.slice(column);
      column += typed.length;
    } else if (key.name === "enter" || others.includes(key.name)) return { text, key: key.name };
    else if (key.name === "left" || key.name === "C-b") column = previousColumn(text, column);
    else if (key.name === "right" || key.name === "C-f") column = nextColumn(text, column);
    else if (key.name === "home" || key.name === "C-a") column = 0;
    else if (key.name === "end" || key.name === "C-e") column = text.length;
    else if (key.name === "backspace") {
      const before = previousColumn(text, column);
      text = text.slice(0, before) + text.slice(column);
      column = before;
    } else if (key.name === "delete" || key.name === "C-d") text = text.slice(0, column) + text.slice(nextColumn(text, column));
    else if (key.name === "C-k" || key.name === "C-u") {
      text = "";
      column = 0;
    }
  }
}

function questionShortcuts(others: readonly string[]): readonly (readonly [Shortcut, Shortcut])[] {
  const none: Shortcut = ["", ""];
  const replace: Shortcut = others.includes("C-r") ? ["^R", "Replace"] : none;
  const goTo: Shortcut = others.includes("C-t") ? ["^T", "Go To Line"] : none;
  return [
    [
      ["^M", "Enter"],
      ["^C", "Cancel"],
    ],
    [replace, goTo],
  ];
}

/** A question with one letter as its answer; undefined: cancelled. */
export function* askLetter(
  editor: NanoEditor,
  question: string,
  letters: readonly (readonly [string, string])[] = [
    ["y", "Yes"],
    ["n", "No"],
  ],
): Sys<string | undefined> {
  const shortcuts: (readonly [Shortcut, Shortcut])[] = [];
  const all: Shortcut[] = [
    ...letters.map(([letter, meaning]): Shortcut => [` ${asciiUpperCase(letter)}`, meaning]),
    ["^C", "Cancel"],
  ];
  if (all.length === 3) shortcuts.push([all[0] as Shortcut, all[1] as Shortcut], [["", ""], all[2] as Shortcut]);
  else for (let i = 0; i < all.length; i += 2) shortcuts.push([all[i] as Shortcut, all[i + 1] ?? ["", ""]]);
  for (;;) {
    yield* editor.drawWithBar(question, cellOf(question, question.length, 8), shortcuts);
    const key = yield* editor.screen.key();
    if (key === undefined || key.name === "C-c") return undefined;
    if (key.name !== "text") continue;
    const letter = asciiLowerCase(key.text as string);
    if (letters.some(([known]) => known === letter)) return letter;
  }
}
