// From the bytes of a terminal to keys.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";

/** A key: a printable character, or a name such as "C-a", "M-b", "left", "enter". "text" carries a paste. */
export type Key =
  | { readonly name: "text"; readonly text: string }
  | { readonly name: Exclude<string, "text">; readonly text?: undefined };

const sequences: { readonly [sequence: string]: string } = {
  "[A": "up",
  "[B": "down",
  "[C": "right",
  "[D": "left",
  "[H": "home",
  "[F": "end",
  OA: "up",
  OB: "down",
  OC: "right",
  OD: "left",
  OH: "home",
  OF: "end",
  "[1~": "home",
  "[3~": "delete",
  "[4~": "end",
  "[7~": "home",
  "[8~": "end",
  "[5~": "pageup",
  "[6~": "pagedown",
  "[1;5C": "M-f",
  "[1;5D": "M-b",
  "[1;3C": "M-f",
  "[1;3D": "M-b",
  "[5C": "M-f",
  "[5D": "M-b",
  "[3;5~": "M-d",
  "[Z": "backtab",
};

const controls: { readonly [code: number]: string } = { 8: "backspace", 9: "tab", 10: "enter", 13: "enter", 127: "backspace" };

/** Reads keys from a raw terminal; keeps what came with a key for the next. */
export class KeyReader {
  readonly #self: Process;
  readonly #fd: number;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(self: Process, fd: number) {
    this.#self = self;
    this.#fd = fd;
  }

  /** Characters at hand without waiting. */
  get pending(): boolean {
    return this.#text !== "";
  }

  /** Undefined at the end of input. Throws SysError EINTR. */
  *next(): Sys<Key | undefined> {
    while (this.#text === "") if (!(yield* this.#fill())) return undefined;
    const code = this.#text.codePointAt(0) as number;
    if (code === 0x1b) return yield* this.#escape();
    const char = String.fromCodePoint(code);
    this.#text = this.#text.slice(char.length);
    const named = controls[code];
    if (named !== undefined) return { name: named };
    if (code < 32) return { name: `C-${String.fromCharCode(code + 96)}` };
    return { name: "text", text: char };
  }

  *#fill(): Sys<boolean> {
    const bytes = yield* this.#self.read(this.#fd);
    if (bytes.length === 0) return false;
    this.#text += this.#decoder.decode(bytes, { stream: true });
    return true;
  }

  *#escape(): Sys<Key> {
    const pattern = /^\u001b(?:\[[\d;]*[A-Za-z~]|O[A-Za-z]|[^[O])/u;
    let match = pattern.exec(this.#text);
    for (let waits = 0; match === null && waits < 4; waits += 1) {
      // The rest of a sequence follows at once; a lone Escape stays alone.
      const ready = yield* this.#self.poll([this.#fd], 50);
      if (ready.length === 0 || !(yield* this.#fill())) break;
      match = pattern.exec(this.#text);
    }
    if (match === null) {
      this.#text = this.#text.slice(1);
      return { name: "escape" };
    }
    const sequence = match[0].slice(1);
    this.#text = this.#text.slice(match[0].length);
    if (sequence === "[200~") return yield* this.#paste();
    if (sequence === "\x7f" || sequence === "\b") return { name: "M-backspace" };
    return { name: sequences[sequence] ?? `M-${sequence}` };
  }

  *#paste(): Sys<Key> {
    const end = "\x1b[201~";
    while (!this.#text.includes(end)) {
      if (this.#text.length > 1_000_000) throw new SysError("E2BIG");
      if (!(yield* this.#fill())) break;
    }
    const at = this.#text.indexOf(end);
    const text = at < 0 ? this.#text : this.#text.slice(0, at);
    this.#text = at < 0 ? "" : this.#text.slice(at + end.length);
    return { name: "text", text: text.replace(/\r\n?/gu, "\n") };
  }
}
