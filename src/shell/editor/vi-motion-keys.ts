// The keys that are motions.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import type { Sys } from "#sim/program.ts";
import { isWordCharacter } from "#sim/unicode.ts";
import { nextColumn, previousColumn } from "./columns.ts";
import type { Position } from "./text-buffer.ts";
import type { ViEditor } from "./vi-editor.ts";
import { nameOf } from "./vi-keys.ts";
import {
  findCharacter,
  type Motion,
  matchingBracket,
  nextWord,
  paragraph,
  previousWord,
  textObject,
  wordEnd,
} from "./vi-motions.ts";
import { compilePattern, searchFrom } from "./vi-search.ts";

/** A motion that was asked for, from the cursor. */
interface MotionCall {
  readonly editor: ViEditor;
  readonly key: string;
  /** Undefined when none was typed. */
  readonly count: number | undefined;
  readonly times: number;
  /** For `c`. */
  readonly changing: boolean;
}

/** A motion from the cursor; undefined when it leads nowhere. "lines": `count` whole lines. */
export function* motionFor(editor: ViEditor, key: string, count: number | undefined, changing: boolean): Sys<Motion | undefined> {
  const call: MotionCall = { editor, key, count, times: count ?? 1, changing };
  const asked = askingMotions[key];
  return asked === undefined ? motions[key]?.(call) : yield* asked(call);
}

function exclusive(to: Position): Motion {
  return { to, span: "exclusive" };
}

function wholeLines(editor: ViEditor, to: number): Motion {
  const row = Math.max(0, Math.min(editor.buffer.lines.length - 1, to));
  return { to: { row, column: editor.firstNonBlank(row) }, span: "lines" };
}

function repeated({ editor, times }: MotionCall, step: (from: Position) => Position): Position {
  let at = editor.buffer.cursor;
  for (let i = 0; i < times; i += 1) at = step(at);
  return at;
}

function left(call: MotionCall): Motion | undefined {
  const { buffer } = call.editor;
  if (buffer.cursor.column === 0) return undefined;
  return exclusive(repeated(call, ({ row, column }) => ({ row, column: previousColumn(buffer.line(row), column) })));
}

function right(call: MotionCall): Motion | undefined {
  const { buffer } = call.editor;
  if (buffer.line(buffer.cursor.row) === "") return undefined;
  return exclusive(repeated(call, ({ row, column }) => ({ row, column: nextColumn(buffer.line(row), column) })));
}

function down({ editor, times }: MotionCall): Motion | undefined {
  const { row } = editor.buffer.cursor;
  return row === editor.buffer.lines.length - 1 ? undefined : { to: editor.vertical(row + times), span: "lines" };
}

function up({ editor, times }: MotionCall): Motion | undefined {
  const { row } = editor.buffer.cursor;
  return row === 0 ? undefined : { to: editor.vertical(row - times), span: "lines" };
}

function toLineEnd({ editor, times }: MotionCall): Motion {
  const { buffer } = editor;
  const row = Math.min(buffer.lines.length - 1, buffer.cursor.row + times - 1);
  editor.keepToEnd();
  return exclusive({ row, column: buffer.line(row).length });
}

/** `cw` on a word changes to its end, not the blanks behind it; `dw` on the last word of a line stays in the line. */
function wordForward(call: MotionCall): Motion {
  const { editor, key, times, changing } = call;
  const { buffer } = editor;
  const { row, column } = buffer.cursor;
  const big = key === "W";
  if (changing && /\S/u.test(buffer.line(row)[column] ?? " "))
    return exclusive(afterCharacter(editor, repeatedEnd(editor, times, big)));
  return exclusive(repeated(call, (at) => nextWord(buffer, at, big)));
}

function wordEndForward(call: MotionCall): Motion {
  return { to: repeated(call, (at) => wordEnd(call.editor.buffer, at, call.key === "E")), span: "inclusive" };
}

function wordBackward(call: MotionCall): Motion {
  return exclusive(repeated(call, (at) => previousWord(call.editor.buffer, at, call.key === "B")));
}

function byParagraph(call: MotionCall): Motion {
  return exclusive(repeated(call, (at) => paragraph(call.editor.buffer, at.row, call.key === "}" ? 1 : -1)));
}

/** `;` and `,`: the last `f`, `F`, `t` or `T` once more, as it was or turned round. */
function foundAgain({ editor, key, times }: MotionCall): Motion | undefined {
  const last = editor.lastFind;
  if (last === undefined) return undefined;
  const turned = /[a-z]/u.test(last.how) ? asciiUpperCase(last.how) : asciiLowerCase(last.how);
  return found(editor, key === ";" ? last.how : turned, last.char, times);
}

function toBracket({ editor: { buffer } }: MotionCall): Motion | undefined {
  const to = matchingBracket(buffer, buffer.cursor);
  return to === undefined ? undefined : { to, span: "inclusive" };
}

function searchAgain({ editor, key, times }: MotionCall): Motion | undefined {
  return searched(editor, (editor.search?.forward ?? true) === (key === "n"), times);
}

/** `*` and `#`: the word below the cursor. */
function searchWord({ editor, key, times }: MotionCall): Motion | undefined {
  const { row, column } = editor.buffer.cursor;
  const line = editor.buffer.line(row);
  const word = textObject(line, column, true, "w");
  if (word === undefined) return undefined;
  const source = Array.from(line.slice(...word), (each) => (isWordCharacter(each) ? each : `\\${each}`)).join("");
  const pattern = compilePattern(`\\<${source}\\>`);
  if (pattern === undefined) return undefined;
  editor.search = { pattern, forward: key === "*" };
  return searched(editor, key === "*", times);
}

/** The last line on the screen. */
function bottomOf(editor: ViEditor): number {
  return Math.min(editor.buffer.lines.length - 1, editor.top + editor.textHeight - 1);
}

/** By key. */
const motions: { readonly [key: string]: (call: MotionCall) => Motion | undefined } = {
  h: left,
  "C-h": left,
  l: right,
  " ": right,
  j: down,
  k: up,
  lines: ({ editor, times }) => wholeLines(editor, editor.buffer.cursor.row + times - 1),
  "+": ({ editor, times }) => wholeLines(editor, editor.buffer.cursor.row + times),
  "-": ({ editor, times }) => wholeLines(editor, editor.buffer.cursor.row - times),
  "0": ({ editor }) => exclusive({ row: editor.buffer.cursor.row, column: 0 }),
  "^": ({ editor }) => exclusive({ row: editor.buffer.cursor.row, column: editor.firstNonBlank(editor.buffer.cursor.row) }),
  $: toLineEnd,
  w: wordForward,
  W: wordForward,
  e: wordEndForward,
  E: wordEndForward,
  b: wordBackward,
  B: wordBackward,
  G: ({ editor, count }) => wholeLines(editor, (count ?? editor.buffer.lines.length) - 1),
  gg: ({ editor, times }) => wholeLines(editor, times - 1),
  H: ({ editor, times }) => wholeLines(editor, editor.top + times - 1),
  L: ({ editor, times }) => wholeLines(editor, bottomOf(editor) - times + 1),
  M: ({ editor }) => wholeLines(editor, editor.top + ((bottomOf(editor) - editor.top) >> 1)),
  ";": foundAgain,
  ",": foundAgain,
  "%": toBracket,
  "{": byParagraph,
  "}": byParagraph,
  n: searchAgain,
  N: searchAgain,
  "*": searchWord,
  "#": searchWord,
};

type AskingMotion = (call: MotionCall) => Sys<Motion | undefined>;

const findInLine: AskingMotion = function* ({ editor, key, times }) {
  const wanted = yield* editor.key();
  if (wanted.name !== "text") return undefined;
  editor.lastFind = { how: key, char: wanted.text as string };
  return found(editor, key, wanted.text as string, times);
};

const search: AskingMotion = function* ({ editor, key, times }) {
  const text = yield* editor.askLine(key);
  if (text === undefined) return undefined;
  if (text !== "") {
    const pattern = compilePattern(text);
    if (pattern === undefined) {
      editor.message = `E486: Pattern not found: ${text}`;
      return undefined;
    }
    editor.search = { pattern, forward: key === "/" };
  }
  return searched(editor, key === "/", times);
};

/** By key: motions that need more keys. */
const askingMotions: { readonly [key: string]: AskingMotion } = {
  *g({ editor, times }) {
    const second = nameOf(yield* editor.key());
    return second === "g" ? wholeLines(editor, times - 1) : undefined;
  },
  f: findInLine,
  F: findInLine,
  t: findInLine,
  T: findInLine,
  "/": search,
  "?": search,
};

function repeatedEnd(editor: ViEditor, times: number, big: boolean): Position {
  const { buffer } = editor;
  // A word of one character ends where it begins: look from before it.
  let at: Position = { row: buffer.cursor.row, column: buffer.cursor.column - 1 };
  for (let i = 0; i < times; i += 1) {
    const from = at.column < 0 ? { row: at.row, column: 0 } : at;
    at = at.column < 0 && isWordEnd(buffer.line(at.row), 0) ? { row: at.row, column: 0 } : wordEnd(buffer, from, big);
  }
  return at;

  function isWordEnd(line: string, column: number): boolean {
    return !isWordCharacter(line[column + 1] ?? " ");
  }
}

export function afterCharacter(editor: ViEditor, at: Position): Position {
  return { row: at.row, column: nextColumn(editor.buffer.line(at.row), at.column) };
}

function found(editor: ViEditor, how: string, wanted: string, times: number): Motion | undefined {
  const { row, column } = editor.buffer.cursor;
  const to = findCharacter(editor.buffer.line(row), column, how, wanted, times);
  if (to === undefined) return undefined;
  return { to: { row, column: to }, span: how === "f" || how === "t" ? "inclusive" : "exclusive" };
}

function searched(editor: ViEditor, forward: boolean, times: number): Motion | undefined {
  const { search, buffer } = editor;
  if (search === undefined) {
    editor.message = "E35: No previous regular expression";
    return undefined;
  }
  let at = buffer.cursor;
  for (let i = 0; i < times; i += 1) {
    const next = searchFrom(buffer, at, search.pattern, forward);
    if (next === undefined) {
      editor.message = `E486: Pattern not found: ${search.pattern.source}`;
      return undefined;
    }
    at = next.at;
    if (next.wrapped) editor.message = forward ? "search hit BOTTOM, continuing at TOP" : "search hit TOP, continuing at BOTTOM";
  }
  return { to: at, span: "exclusive" };
}
