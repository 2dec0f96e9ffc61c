// The line behind `:`.

import { encodeUtf8 } from "#sim/bytes.ts";
import type { Sys } from "#sim/program.ts";
import { openDocument, writeDocument } from "./document.ts";
import type { ViEditor } from "./vi-editor.ts";
import { compilePattern } from "./vi-search.ts";

export function* commandLine(editor: ViEditor): Sys<void> {
  const text = yield* editor.askLine(":");
  if (text !== undefined && text.trim() !== "") yield* runCommand(editor, text.trim());
}

function* runCommand(editor: ViEditor, text: string): Sys<void> {
  const { buffer } = editor;
  const range = readRange(editor, text);
  const rest = text.slice(range.length).trim();
  if (range.to >= buffer.lines.length || range.from > range.to) {
    editor.message = "E16: Invalid range";
    return;
  }
  const substitution = /^s(?:ubstitute)?([^\w\s])(.*)$/u.exec(rest);
  if (substitution !== null) {
    substitute(editor, range, substitution[1] as string, substitution[2] as string);
    return;
  }
  if (rest === "") {
    editor.goToLine(range.to + 1);
    return;
  }
  const [, name = "", bang = "", argument = ""] = /^([a-zA-Z]*)(!?)\s*(.*)$/u.exec(rest) ?? [];
  const command = commands.get(name);
  if (command === undefined) editor.message = `E492: Not an editor command: ${text}`;
  else command(editor, { range, force: bang === "!", argument });
}

interface Call {
  readonly range: Range;
  /** With `!` behind the name. */
  readonly force: boolean;
  readonly argument: string;
}

type Command = (editor: ViEditor, call: Call) => void;

function quit(editor: ViEditor, { force }: Call): void {
  if (editor.buffer.modified && !force) editor.message = "E37: No write since last change (add ! to override)";
  else editor.ended = 0;
}

function yank(editor: ViEditor, { range }: Call): void {
  editor.register = `${editor.buffer.lines.slice(range.from, range.to + 1).join("\n")}\n`;
}

/** By their names, short and long. */
const commands: ReadonlyMap<string, Command> = new Map(
  (
    [
      [["w", "write"], (editor, { argument, force }) => write(editor, argument, force)],
      [
        ["wq"],
        (editor, { argument, force }) => {
          if (write(editor, argument, force)) editor.ended = 0;
        },
      ],
      [["x", "xit", "exit", "wqa", "xa"], (editor, { force }) => saveAndQuit(editor, force)],
      [["q", "quit", "qa", "qall"], quit],
      [
        ["cq", "cquit"],
        (editor) => {
          editor.ended = 1;
        },
      ],
      [["e", "edit"], (editor, { argument, force }) => reload(editor, argument, force)],
      [
        ["d", "delete"],
        (editor, call) => {
          yank(editor, call);
          removeLines(editor, call.range.from, call.range.to);
        },
      ],
      [["y", "yank"], yank],
      [["u", "undo"], (editor) => editor.buffer.undo()],
      [["noh", "nohlsearch"], () => {}],
      [["se", "set"], (editor, { argument }) => setOption(editor, argument)],
    ] satisfies readonly (readonly [readonly string[], Command])[]
  ).flatMap(([names, command]) => names.map((name) => [name, command] as const)),
);

/** Writes when there are changes, and leaves: `:x`, `ZZ`. */
export function saveAndQuit(editor: ViEditor, force: boolean): void {
  if (!editor.buffer.modified || write(editor, "", force)) editor.ended = 0;
}

interface Range {
  readonly from: number;
  readonly to: number;
  /** Characters of the command that name it. */
  readonly length: number;
}

function readRange(editor: ViEditor, text: string): Range {
  const { cursor, lines } = editor.buffer;
  if (text.startsWith("%")) return { from: 0, to: lines.length - 1, length: 1 };
  const match = /^(\d+|\.|\$)?(?:,(\d+|\.|\$))?/u.exec(text);
  const place = (word: string | undefined): number | undefined => {
    if (word === undefined) return undefined;
    if (word === ".") return cursor.row;
    return word === "$" ? lines.length - 1 : Math.max(0, Math.min(lines.length, Number(word)) - 1);
  };
  const from = place(match?.[1]) ?? cursor.row;
  return { from, to: place(match?.[2]) ?? from, length: match?.[0].length ?? 0 };
}

function setOption(editor: ViEditor, option: string): void {
  if (option === "nu" || option === "number") editor.showNumbers = true;
  else if (option === "nonu" || option === "nonumber") editor.showNumbers = false;
  else if (option === "nu!" || option === "number!") editor.showNumbers = !editor.showNumbers;
  else editor.message = `E518: Unknown option: ${option}`;
}

function write(editor: ViEditor, argument: string, force: boolean): boolean {
  const { buffer, self } = editor;
  const path = argument === "" ? editor.path : argument;
  if (path === "") {
    editor.message = "E32: No file name";
    return false;
  }
  if (editor.readOnly && !force) {
    editor.message = "E45: 'readonly' option is set (add ! to override)";
    return false;
  }
  const isNew = !self.exists(path);
  if (argument !== "" && argument !== editor.path && !isNew && !force) {
    editor.message = "E13: File exists (add ! to override)";
    return false;
  }
  const empty = buffer.lines.length === 1 && buffer.line(0) === "" && isNew;
  const text = empty ? "" : `${buffer.text}\n`;
  const problem = writeDocument(self, path, text);
  if (problem !== undefined) {
    editor.message = `"${path}" E212: Can't open file for writing`;
    return false;
  }
  if (editor.path === "") editor.path = path;
  if (path === editor.path) buffer.markSaved();
  editor.message = `"${path}" ${isNew ? "[New] " : ""}${empty ? 0 : buffer.lines.length}L, ${encodeUtf8(text).length}B written`;
  return true;
}

function reload(editor: ViEditor, argument: string, force: boolean): void {
  const { buffer } = editor;
  if (argument !== "" && argument !== editor.path) {
    editor.message = "E-: this small vi edits one file";
    return;
  }
  if (buffer.modified && !force) {
    editor.message = "E37: No write since last change (add ! to override)";
    return;
  }
  const opened = openDocument(editor.self, editor.path);
  if (opened.kind !== "file") return;
  const { cursor } = buffer;
  buffer.replace({ row: 0, column: 0 }, buffer.end, opened.text.replace(/\n$/u, ""));
  buffer.cursor = { row: Math.min(cursor.row, buffer.lines.length - 1), column: 0 };
  buffer.markSaved();
  editor.message = `"${editor.path}" ${buffer.lines.length}L, ${opened.sizeBytes}B`;
}

function removeLines(editor: ViEditor, from: number, to: number): void {
  const { buffer } = editor;
  if (to + 1 < buffer.lines.length) buffer.replace({ row: from, column: 0 }, { row: to + 1, column: 0 }, "");
  else if (from > 0) buffer.replace({ row: from - 1, column: buffer.line(from - 1).length }, buffer.end, "");
  else buffer.replace({ row: 0, column: 0 }, buffer.end, "");
  editor.goToLine(from + 1);
}

/** `s/pattern/replacement/flags`. */
function substitute(editor: ViEditor, range: Range, delimiter: string, text: string): void {
  const { buffer } = editor;
  const parts: string[] = [""];
  const append = (piece: string): void => {
    parts.push(`${parts.pop() ?? ""}${piece}`);
  };
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === "\\" && i + 1 < text.length) append(text[i + 1] === delimiter ? (text[++i] as string) : `\\${text[++i]}`);
    else if (text[i] === delimiter && parts.length < 3) parts.push("");
    else append(text[i] as string);
  }
  const [wanted = "", replacement = "", flags = ""] = parts;
  const pattern = wanted === "" ? editor.search?.pattern : compilePattern(wanted);
  const unknown = /[^gi]/u.exec(flags);
  if (unknown !== null) {
    editor.message = `E488: Trailing characters: ${flags.slice(unknown.index)}`;
    return;
  }
  if (pattern === undefined) {
    editor.message = wanted === "" ? "E35: No previous regular expression" : `E486: Pattern not found: ${wanted}`;
    return;
  }
  editor.search = { pattern, forward: true };
  const used = new RegExp(
    pattern.source,
    `${flags.includes("g") ? "g" : ""}${flags.includes("i") ? "i" : pattern.flags.replace("g", "")}`,
  );
  let lines = 0;
  let changes = 0;
  for (let row = range.from; row <= range.to; row += 1) {
    const line = buffer.line(row);
    let here = 0;
    const changed = line.replace(used, (match: string, ...groups: unknown[]) => {
      here += 1;
      return replacement.replace(/\\(.)|&/gu, (whole, escaped: string | undefined) => {
        if (whole === "&" || escaped === "0") return match;
        return escaped !== undefined && /\d/u.test(escaped) ? String(groups[Number(escaped) - 1] ?? "") : (escaped ?? "");
      });
    });
    if (here === 0) continue;
    buffer.replace({ row, column: 0 }, { row, column: line.length }, changed);
    buffer.cursor = { row, column: 0 };
    lines += 1;
    changes += here;
  }
  if (lines === 0) editor.message = `E486: Pattern not found: ${wanted}`;
  else if (changes > 2) editor.message = `${changes} substitutions on ${lines} line${lines === 1 ? "" : "s"}`;
}
