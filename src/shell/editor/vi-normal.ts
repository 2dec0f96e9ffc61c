// Normal mode of vi: one command, with its count.

import type { Sys } from "#sim/program.ts";
import { changeCase, insertion, join, put, replaceCharacters } from "./vi-changes.ts";
import { commandLine, saveAndQuit } from "./vi-command.ts";
import type { ViEditor } from "./vi-editor.ts";
import { counted, nameOf, type Outcome } from "./vi-keys.ts";
import { motionFor } from "./vi-motion-keys.ts";
import { operate, operator, shorthand } from "./vi-operators.ts";

/** Reads one command from the keys and does it. */
export function* normalCommand(editor: ViEditor): Sys<Outcome> {
  const { count, key } = yield* counted(editor);
  const times = count ?? 1;
  if (key === "d" || key === "c" || key === "y" || key === "<" || key === ">") return yield* operator(editor, key, times);
  const simple = shorthand[key];
  if (simple !== undefined) {
    const motion = yield* motionFor(editor, simple[1], count, simple[0] === "c");
    return motion === undefined ? "done" : yield* operate(editor, simple[0], motion);
  }
  const command = commands[key];
  if (command !== undefined) return yield* command(editor, key, times);
  const act = acts[key];
  if (act !== undefined) return act(editor, times);
  const motion = yield* motionFor(editor, key, count, false);
  if (motion === undefined) return "done";
  editor.buffer.cursor = motion.to;
  return "jk".includes(key) ? "vertical" : "done";
}

type Command = (editor: ViEditor, key: string, times: number) => Sys<Outcome>;

const insert: Command = (editor, key, times) => insertion(editor, key, times);

const scrolling: Command = function* (editor, key, times) {
  scroll(editor, key, times);
  return "vertical";
};

const putting: Command = function* (editor, key, times) {
  put(editor, key, times);
  return "changed";
};

const absent: Command = function* (editor, key) {
  editor.message = `E-: this small vi has no ${key}`;
  return "done";
};

/** By key: commands that ask for more, or are told apart by their key. */
const commands: { readonly [key: string]: Command } = {
  i: insert,
  I: insert,
  a: insert,
  A: insert,
  o: insert,
  O: insert,
  R: insert,
  s: insert,
  S: insert,
  p: putting,
  P: putting,
  r: (editor, _key, times) => replaceCharacters(editor, times),
  *":"(editor) {
    yield* commandLine(editor);
    return "done";
  },
  *Z(editor) {
    const second = nameOf(yield* editor.key());
    if (second === "Z") saveAndQuit(editor, false);
    else if (second === "Q") editor.ended = 0;
    return "done";
  },
  *z(editor) {
    const second = nameOf(yield* editor.key());
    const middle = editor.textHeight >> 1;
    const offsets: { readonly [key: string]: number } = {
      t: 0,
      enter: 0,
      "+": 0,
      z: middle,
      ".": middle,
      b: editor.textHeight - 1,
    };
    const offset = offsets[second];
    if (offset !== undefined) editor.scrollTo(editor.buffer.cursor.row - offset);
    return "done";
  },
  "C-f": scrolling,
  "C-b": scrolling,
  "C-d": scrolling,
  "C-u": scrolling,
  "C-e": scrolling,
  "C-y": scrolling,
  v: absent,
  V: absent,
  "C-v": absent,
  q: absent,
  m: absent,
  '"': absent,
  "@": absent,
  "C-z": absent,
};

/** By key: what is done at once. */
const acts: { readonly [key: string]: (editor: ViEditor, times: number) => Outcome } = {
  J(editor, times) {
    join(editor, Math.max(1, times - 1));
    return "changed";
  },
  "~"(editor, times) {
    changeCase(editor, times);
    return "changed";
  },
  u(editor, times) {
    for (let i = 0; i < times; i += 1) if (!editor.buffer.undo()) editor.message = "Already at oldest change";
    return "done";
  },
  "C-r"(editor, times) {
    for (let i = 0; i < times; i += 1) if (!editor.buffer.redo()) editor.message = "Already at newest change";
    return "done";
  },
  "."(editor, times) {
    editor.repeat(times);
    return "done";
  },
  "C-l"(editor) {
    editor.screen.forget();
    return "done";
  },
  "C-g"(editor) {
    const { buffer } = editor;
    const percent = Math.floor((100 * (buffer.cursor.row + 1)) / buffer.lines.length);
    editor.message = `"${editor.path}"${buffer.modified ? " [Modified]" : ""} ${buffer.lines.length} lines --${percent}%--`;
    return "done";
  },
  "C-c"(editor) {
    editor.message = "Type  :qa!  and press <Enter> to abandon all changes and exit Vim";
    return "done";
  },
};

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
