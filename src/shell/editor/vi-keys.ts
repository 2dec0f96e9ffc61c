// Keys of normal mode, with the counts before them.

import type { Sys } from "#sim/program.ts";
import type { Key } from "../line/keys.ts";
import type { ViEditor } from "./vi-editor.ts";

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

export function nameOf(key: Key): string {
  return key.name === "text" ? (key.text as string) : (named[key.name] ?? key.name);
}

/** A count (undefined when none was typed) and the key behind it. */
export function* counted(editor: ViEditor): Sys<{ readonly count: number | undefined; readonly key: string }> {
  let digits = "";
  for (;;) {
    const pressed = yield* editor.key();
    const key = nameOf(pressed);
    const isDigit = pressed.name === "text" && (digits === "" ? /^[1-9]$/u : /^\d$/u).test(key);
    if (!isDigit) return { count: digits === "" ? undefined : Math.min(maximumCount, Number(digits)), key };
    digits += key;
  }
}
