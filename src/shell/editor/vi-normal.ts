// Normal mode of vi: one command, with its counts, operators and motions.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import type { Sys } from "#sim/program.ts";
import { isWordCharacter, lowerCase, upperCase } from "#sim/unicode.ts";
import type { Key } from "../line/keys.ts";
import { nextColumn, previousColumn } from "./columns.ts";
import { ordered, type Position } from "./text-buffer.ts";
import { commandLine, saveAndQuit } from "./vi-command.ts";
import type { ViEditor } from "./vi-editor.ts";
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

/** "changed": `.` does it again. "vertical": the next one keeps to its cell. */
export type Outcome = "changed" | "vertical" | "done";

const maximumCount = 100_000;
const named: { readonly [name: string]: string } = {
  left: "h",
  right: "l",
  up: "k",
  down: "j",
  home: "0",
  end: "$",
  backspace: "h",
  enter: "+",
  pagedown: "C-f",
  pageup: "C-b",
  delete: "x",
  "C-n": "j",
  "C-p": "k",
  "M-[1;5H": "gg",
  "M-[1;5F": "G",
};

function nameOf(key: Key): string {
  return key.name === "text" ? (key.text as string) : (named[key.name] ?? key.name);
}

/** A count (undefined when none was typed) and the key behind it. */
function* counted(editor: ViEditor): Sys<{ readonly count: number | undefined; readonly key: string }> {
  let digits = "";
  for (;;) {
    const pressed = yield* editor.key();
    const key = nameOf(pressed);
    const isDigit = pressed.name === "text" && (digits === "" ? /^[1-9]$/u : /^\d$/u).test(key);
    if (!isDigit) return { count: digits === "" ? undefined : Math.min(maximumCount, Number(digits)), key };
    digits += key;
  }
}

export function* normalCommand(editor: ViEditor): Sys<Outcome> {
  const { buffer } = editor;
  const { count, key } = yield* counted(editor);
  const times = count ?? 1;
  if (key === "d" || key === "c" || key === "y" || key === "<" || key === ">") return yield* operator(editor, key, times);
  const simple = shorthand[key];
  if (simple !== undefined) {
    const motion = yield* motionFor(editor, simple[1], count, simple[0] === "c");
    return motion === undefined ? "done" : yield* operate(editor, simple[0], motion);
  }
  switch (key) {
    case "i":
    case "I":
    case "a":
    case "A":
    case "o":
    case "O":
    case "R":
    case "s":
    case "S":
      return yield* insertion(editor, key, times);
    case "p":
    case "P":
      put(editor, key, times);
      return "changed";
    case "r":
      return yield* replaceCharacters(editor, times);
    case "J":
      join(editor, Math.max(1, times - 1));
      return "changed";
    case "~":
      changeCase(editor, times);
      return "changed";
    case "u":
      for (let i = 0; i < times; i += 1) if (!buffer.undo()) editor.message = "Already at oldest change";
      return "done";
    case "C-r":
      for (let i = 0; i < times; i += 1) if (!buffer.redo()) editor.message = "Already at newest change";
      return "done";
    case ".":
      editor.repeat(times);
      return "done";
    case ":":
      yield* commandLine(editor);
      return "done";
    case "Z": {
      const second = nameOf(yield* editor.key());
      if (second === "Z") saveAndQuit(editor, false);
      else if (second === "Q") editor.ended = 0;
      return "done";
    }
    case "z": {
      const second = nameOf(yield* editor.key());
      const { row } = buffer.cursor;
      const offsets: { readonly [key: string]: number } = { t: 0, z: editor.textHeight >> 1, b: editor.textHeight - 1 };
      const offset = offsets[second === "." ? "z" : second === "enter" || second === "+" ? "t" : second];
      if (offset !== undefined) editor.scrollTo(row - offset);
      return "done";
    }
    case "C-f":
    case "C-b":
    case "C-d":
    case "C-u":
    case "C-e":
    case "C-y":
      scroll(editor, key, times);
      return "vertical";
    case "C-l":
      editor.screen.forget();
      return "done";
    case "C-g":
      editor.message = `"${editor.path}"${buffer.modified ? " [Modified]" : ""} ${buffer.lines.length} lines --${Math.floor((100 * (buffer.cursor.row + 1)) / buffer.lines.length)}%--`;
      return "done";
    case "C-c":
      editor.message = "Type  :qa!  and press <Enter> to abandon all changes and exit Vim";
      return "done";
    case "v":
    case "V":
    case "C-v":
    case "q":
    case "m":
    case '"':
    case "@":
    case "C-z":
      editor.message = `E-: this small vi has no ${key}`;
      return "done";
    default: {
      const motion = yield* motionFor(editor, key, count, false);
      if (motion === undefined) return "done";
      buffer.cursor = motion.to;
      return "jk".includes(key) ? "vertical" : "done";
    }
  }
}

/** Commands that are an operator with a motion. */
const shorthand: { readonly [key: string]: readonly ["d" | "c" | "y", string] } = {
  x: ["d", "l"],
  X: ["d", "h"],
  D: ["d", "$"],
  C: ["c", "$"],
  Y: ["y", "lines"],
};

function* operator(editor: ViEditor, key: "d" | "c" | "y" | "<" | ">", times: number): Sys<Outcome> {
  const second = yield* counted(editor);
  const count = times * (second.count ?? 1);
  const given = times > 1 || second.count !== undefined ? count : undefined;
  const doubled = second.key === key;
  let motion: Motion | undefined;
  if (second.key === "i" || second.key === "a") {
    const what = nameOf(yield* editor.key());
    const { row, column } = editor.buffer.cursor;
    const found = textObject(editor.buffer.line(row), column, second.key === "i", what);
    if (found === undefined) return "done";
    editor.buffer.cursor = { row, column: found[0] };
    motion = { to: { row, column: found[1] }, span: "exclusive" };
  } else motion = yield* motionFor(editor, doubled ? "lines" : second.key, given, key === "c");
  if (motion === undefined) return "done";
  if (key === "<" || key === ">") return shift(editor, key, motion);
  return yield* operate(editor, key, motion);
}

/** A motion from the cursor; undefined when it leads nowhere. "lines": `count` whole lines. */
function* motionFor(editor: ViEditor, key: string, count: number | undefined, changing: boolean): Sys<Motion | undefined> {
  const { buffer } = editor;
  const { row, column } = buffer.cursor;
  const line = buffer.line(row);
  const times = count ?? 1;
  const lastRow = buffer.lines.length - 1;
  const exclusive = (to: Position): Motion => ({ to, span: "exclusive" });
  const wholeLines = (to: number): Motion => {
    const target = Math.max(0, Math.min(lastRow, to));
    return { to: { row: target, column: editor.firstNonBlank(target) }, span: "lines" };
  };
  const repeated = (step: (from: Position) => Position): Position => {
    let at = buffer.cursor;
    for (let i = 0; i < times; i += 1) at = step(at);
    return at;
  };
  switch (key) {
    case "h":
    case "C-h": {
      if (column === 0) return undefined;
      return exclusive(repeated((at) => ({ row, column: previousColumn(line, at.column) })));
    }
    case "l":
    case " ":
      if (line === "") return undefined;
      return exclusive(repeated((at) => ({ row, column: nextColumn(line, at.column) })));
    case "j":
    case "k": {
      const target = row + (key === "j" ? times : -times);
      if ((key === "j" && row === lastRow) || (key === "k" && row === 0)) return undefined;
      return { to: editor.vertical(target), span: "lines" };
    }
    case "lines":
      return wholeLines(row + times - 1);
    case "+":
    case "-":
      return wholeLines(row + (key === "+" ? times : -times));
    case "0":
      return exclusive({ row, column: 0 });
    case "^":
      return exclusive({ row, column: editor.firstNonBlank(row) });
    case "$": {
      const target = Math.min(lastRow, row + times - 1);
      editor.keepToEnd();
      return exclusive({ row: target, column: buffer.line(target).length });
    }
    case "w":
    case "W": {
      const big = key === "W";
      // `cw` on a word changes to its end, not the blanks behind it; `dw` on the last word of a line stays in the line.
      if (changing && /\S/u.test(line[column] ?? " ")) return exclusive(afterCharacter(editor, repeatedEnd(editor, times, big)));
      const to = repeated((at) => nextWord(buffer, at, big));
      return exclusive(to);
    }
    case "e":
    case "E":
      return { to: repeated((at) => wordEnd(buffer, at, key === "E")), span: "inclusive" };
    case "b":
    case "B":
      return exclusive(repeated((at) => previousWord(buffer, at, key === "B")));
    case "G":
      return wholeLines((count ?? lastRow + 1) - 1);
    case "gg":
      return wholeLines(times - 1);
    case "g": {
      const second = nameOf(yield* editor.key());
      return second === "g" ? wholeLines(times - 1) : undefined;
    }
    case "H":
      return wholeLines(editor.top + times - 1);
    case "L":
      return wholeLines(Math.min(lastRow, editor.top + editor.textHeight - 1) - times + 1);
    case "M":
      return wholeLines(editor.top + (Math.min(lastRow - editor.top, editor.textHeight - 1) >> 1));
    case "f":
    case "F":
    case "t":
    case "T": {
      const wanted = yield* editor.key();
      if (wanted.name !== "text") return undefined;
      editor.lastFind = { how: key, char: wanted.text as string };
      return found(editor, key, wanted.text as string, times);
    }
    case ";":
    case ",": {
      const last = editor.lastFind;
      if (last === undefined) return undefined;
      const turned = /[a-z]/u.test(last.how) ? asciiUpperCase(last.how) : asciiLowerCase(last.how);
      return found(editor, key === ";" ? last.how : turned, last.char, times);
    }
    case "%": {
      const to = matchingBracket(buffer, buffer.cursor);
      return to === undefined ? undefined : { to, span: "inclusive" };
    }
    case "{":
    case "}":
      return exclusive(repeated((at) => paragraph(buffer, at.row, key === "}" ? 1 : -1)));
    case "/":
    case "?": {
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
    }
    case "n":
    case "N":
      return searched(editor, (editor.search?.forward ?? true) === (key === "n"), times);
    case "*":
    case "#": {
      const word = textObject(line, column, true, "w");
      if (word === undefined) return undefined;
      const pattern = compilePattern(
        `\\<${Array.from(line.slice(...word), (each) => (isWordCharacter(each) ? each : `\\${each}`)).join("")}\\>`,
      );
      if (pattern === undefined) return undefined;
      editor.search = { pattern, forward: key === "*" };
      return searched(editor, key === "*", times);
    }
    default:
      return undefined;
  }
}

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

function afterCharacter(editor: ViEditor, at: Position): Position {
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

/** The text that an operator takes. */
function* operate(editor: ViEditor, key: "d" | "c" | "y", motion: Motion): Sys<Outcome> {
  const { buffer } = editor;
  const start = buffer.cursor;
  const [first, last] = ordered(start, motion.to);
  if (motion.span === "lines") {
    const end = { row: last.row, column: buffer.line(last.row).length };
    editor.register = `${buffer.slice({ row: first.row, column: 0 }, end)}\n`;
    const lines = last.row - first.row + 1;
    if (key === "y") {
      buffer.cursor = first.row === start.row ? start : { row: first.row, column: start.column };
      if (lines > 2) editor.message = `${lines} lines yanked`;
      return "done";
    }
    if (key === "c") {
      buffer.replace({ row: first.row, column: 0 }, end, "");
      yield* editor.insertMode();
      return "changed";
    }
    deleteLines(editor, first.row, last.row);
    if (lines > 2) editor.message = `${lines} fewer lines`;
    return "changed";
  }
  let end = motion.span === "inclusive" ? afterCharacter(editor, last) : last;
  // An exclusive motion that ends before the first word of a line ends at the end of the line before it.
  if (motion.span === "exclusive" && end.row > first.row && buffer.line(end.row).slice(0, end.column).trim() === "")
    end = { row: end.row - 1, column: buffer.line(end.row - 1).length };
  editor.register = buffer.slice(first, end);
  buffer.cursor = first;
  if (key === "y") return "done";
  buffer.replace(first, end, "");
  if (key === "c") yield* editor.insertMode();
  return "changed";
}

function deleteLines(editor: ViEditor, from: number, to: number): void {
  const { buffer } = editor;
  if (to + 1 < buffer.lines.length) buffer.replace({ row: from, column: 0 }, { row: to + 1, column: 0 }, "");
  else if (from > 0)
    buffer.replace({ row: from - 1, column: buffer.line(from - 1).length }, { row: to, column: buffer.line(to).length }, "");
  else buffer.replace({ row: 0, column: 0 }, buffer.end, "");
  const row = Math.min(from, buffer.lines.length - 1);
  buffer.cursor = { row, column: editor.firstNonBlank(row) };
}

function shift(editor: ViEditor, key: "<" | ">", motion: Motion): Outcome {
  const { buffer } = editor;
  const [first, last] = ordered(buffer.cursor, motion.to);
  const width = /\.ya?ml$/u.test(editor.path) ? 2 : 8;
  for (let row = first.row; row <= last.row; row += 1) {
    const line = buffer.line(row);
    if (key === ">" && line !== "") buffer.replace({ row, column: 0 }, { row, column: 0 }, width === 8 ? "\t" : "  ");
    const indent = new RegExp(`^(?:\t| {1,${width}})`, "u").exec(line)?.[0].length ?? 0;
    if (key === "<") buffer.replace({ row, column: 0 }, { row, column: indent }, "");
  }
  buffer.cursor = { row: first.row, column: editor.firstNonBlank(first.row) };
  return "changed";
}

function* insertion(editor: ViEditor, key: string, times: number): Sys<Outcome> {
  const { buffer } = editor;
  const { row, column } = buffer.cursor;
  const line = buffer.line(row);
  const indent = /\.ya?ml$/u.test(editor.path) ? (/^ */u.exec(line)?.[0] ?? "") : "";
  if (key === "I") buffer.cursor = { row, column: /^\s*/u.exec(line)?.[0].length ?? 0 };
  else if (key === "a") buffer.cursor = { row, column: line === "" ? 0 : nextColumn(line, column) };
  else if (key === "A") buffer.cursor = { row, column: line.length };
  else if (key === "o") {
    buffer.replace({ row, column: line.length }, { row, column: line.length }, `\n${indent}`);
  } else if (key === "O") {
    buffer.replace({ row, column: 0 }, { row, column: 0 }, `${indent}\n`);
    buffer.cursor = { row, column: indent.length };
  } else if (key === "s") {
    let end = column;
    for (let i = 0; i < times && end < line.length; i += 1) end = nextColumn(line, end);
    editor.register = line.slice(column, end);
    buffer.replace(buffer.cursor, { row, column: end }, "");
  } else if (key === "S") {
    const last = Math.min(buffer.lines.length - 1, row + times - 1);
    editor.register = `${buffer.lines.slice(row, last + 1).join("\n")}\n`;
    buffer.replace({ row, column: indent.length }, { row: last, column: buffer.line(last).length }, "");
  }
  const from = buffer.cursor;
  yield* editor.insertMode(key === "R");
  if (times > 1 && (key === "i" || key === "a" || key === "A" || key === "I")) {
    const at = buffer.cursor;
    const typedTo = { row: at.row, column: nextColumn(buffer.line(at.row), at.column) };
    const typed = buffer.slice(from, typedTo);
    buffer.replace(typedTo, typedTo, typed.repeat(times - 1));
    buffer.cursor = { row: buffer.cursor.row, column: previousColumn(buffer.line(buffer.cursor.row), buffer.cursor.column) };
  }
  return "changed";
}

function put(editor: ViEditor, key: string, times: number): void {
  const { buffer, register } = editor;
  if (register === "") {
    editor.message = 'E353: Nothing in register "';
    return;
  }
  const { row, column } = buffer.cursor;
  const line = buffer.line(row);
  if (register.endsWith("\n")) {
    const text = register.repeat(times);
    if (key === "P") buffer.replace({ row, column: 0 }, { row, column: 0 }, text);
    else buffer.replace({ row, column: line.length }, { row, column: line.length }, `\n${text.slice(0, -1)}`);
    const target = key === "P" ? row : row + 1;
    buffer.cursor = { row: target, column: editor.firstNonBlank(target) };
    return;
  }
  const at = key === "P" || line === "" ? buffer.cursor : { row, column: nextColumn(line, column) };
  buffer.replace(at, at, register.repeat(times));
  buffer.cursor = { row: buffer.cursor.row, column: previousColumn(buffer.line(buffer.cursor.row), buffer.cursor.column) };
}

function* replaceCharacters(editor: ViEditor, times: number): Sys<Outcome> {
  const { buffer } = editor;
  const key = yield* editor.key();
  if (key.name !== "text" && key.name !== "enter") return "done";
  const { row, column } = buffer.cursor;
  const line = buffer.line(row);
  let end = column;
  for (let i = 0; i < times; i += 1) {
    if (end >= line.length) return "done";
    end = nextColumn(line, end);
  }
  if (key.name === "enter") buffer.replace(buffer.cursor, { row, column: end }, "\n");
  else {
    buffer.replace(buffer.cursor, { row, column: end }, (key.text as string).repeat(times));
    buffer.cursor = { row, column: previousColumn(buffer.line(row), buffer.cursor.column) };
  }
  return "changed";
}

function join(editor: ViEditor, times: number): void {
  const { buffer } = editor;
  for (let i = 0; i < times; i += 1) {
    const { row } = buffer.cursor;
    if (row + 1 >= buffer.lines.length) return;
    const [line, next] = [buffer.line(row).trimEnd(), buffer.line(row + 1)];
    const indent = /^\s*/u.exec(next)?.[0].length ?? 0;
    const glue = line === "" || next.trim() === "" || next[indent] === ")" ? "" : " ";
    buffer.replace({ row, column: line.length }, { row: row + 1, column: indent }, glue);
    buffer.cursor = { row, column: line.length };
  }
}

function changeCase(editor: ViEditor, times: number): void {
  const { buffer } = editor;
  const { row, column } = buffer.cursor;
  const text = buffer.line(row).slice(column, column + times);
  const turned = [...text].map((char) => (char === lowerCase(char) ? upperCase(char) : lowerCase(char))).join("");
  buffer.replace(buffer.cursor, { row, column: column + text.length }, turned);
}

function scroll(editor: ViEditor, key: string, times: number): void {
  const { buffer, textHeight } = editor;
  const { row } = buffer.cursor;
  const page = Math.max(1, textHeight - 2) * times;
  const half = Math.max(1, textHeight >> 1);
  const far = { "C-f": page, "C-b": -page, "C-d": half, "C-u": -half, "C-e": times, "C-y": -times }[key] ?? 0;
  const top = Math.max(0, Math.min(buffer.lines.length - 1, editor.top + far));
  editor.scrollTo(top);
  const moved = key === "C-e" || key === "C-y" ? row : row + far;
  buffer.cursor = editor.vertical(Math.max(top, Math.min(top + textHeight - 1, moved)));
}
