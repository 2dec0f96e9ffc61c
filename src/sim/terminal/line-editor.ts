// The kernel's own line editing, for programs that read a terminal in canonical mode (cat, read, a password prompt).

import { type Bytes, encodeUtf8 } from "../bytes.ts";
import { characterWidth } from "./character-width.ts";

const endOfFile = "\x04";
const quoteNext = "\x16";
const reprint = "\x12";
const killLine = "\x15";
const eraseWord = "\x17";
const tabStop = 8;

export class LineEditor {
  readonly #emit: (bytes: Bytes) => void;
  #decoder = new TextDecoder();
  #line: string[] = [];
  /** The next character is taken as it is (Ctrl-V). */
  quoting = false;

  constructor(emit: (bytes: Bytes) => void) {
    this.#emit = emit;
  }

  /** Lines that the input completed; an empty one is an end of file at the start of a line. */
  input(bytes: Bytes, echo: boolean): readonly Bytes[] {
    const lines: Bytes[] = [];
    let shown = "";
    for (const character of this.#decoder.decode(bytes, { stream: true })) {
      const key = character === "\r" ? "\n" : character;
      if (this.quoting) {
        this.quoting = false;
        this.#line.push(character);
        shown += visible(character);
      } else if (key === "\n") {
        lines.push(encodeUtf8(`${this.#line.join("")}\n`));
        this.#line = [];
        shown += "\n";
      } else if (key === endOfFile) {
        lines.push(encodeUtf8(this.#line.join("")));
        this.#line = [];
      } else if (key === quoteNext) this.quoting = true;
      else shown += this.#edit(key);
    }
    if (echo && shown !== "") this.#emit(encodeUtf8(shown));
    // A newline is shown even without echo only in ECHONL mode, which nothing here uses.
    return lines;
  }

  /** What has been typed of an unfinished line. */
  takeUnfinished(): Bytes | undefined {
    if (this.#line.length === 0) return undefined;
    const bytes = encodeUtf8(this.#line.join(""));
    this.#line = [];
    return bytes;
  }

  clear(): void {
    this.#line = [];
    this.quoting = false;
    this.#decoder = new TextDecoder();
  }

  /** Applies a key; returns what the screen shows of it. */
  #edit(key: string): string {
    switch (key) {
      case "\x7f":
      case "\b":
        return this.#erase();
      case eraseWord: {
        let shown = "";
        while (this.#line.length > 0 && isBlank(this.#line.at(-1))) shown += this.#erase();
        while (this.#line.length > 0 && !isBlank(this.#line.at(-1))) shown += this.#erase();
        return shown;
      }
      case killLine: {
        let shown = "";
        while (this.#line.length > 0) shown += this.#erase();
        return shown;
      }
      case reprint:
        return `^R\n${this.#line.map(visible).join("")}`;
      default:
        this.#line.push(key);
        return visible(key);
    }
  }

  /** Takes the last character away, with the combining marks on it. */
  #erase(): string {
    let columns = 0;
    while (this.#line.length > 0) {
      const character = this.#line.pop() as string;
      columns = columnsOf(character, this.#line);
      if (columns > 0) break;
    }
    return "\b \b".repeat(columns);
  }
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

/** Control characters show as ^X (ECHOCTL). */
function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (character === "\t" || character === "\n") return character;
  if (code < 0x20) return `^${String.fromCharCode(code + 64)}`;
  return code === 0x7f ? "^?" : character;
}

/** A tab reaches to the next stop, counted from the start of the input. */
function columnsOf(character: string, before: readonly string[]): number {
  if (character !== "\t") return character.charCodeAt(0) < 0x20 || character === "\x7f" ? 2 : characterWidth(character);
  let column = 0;
  for (const other of before) column += other === "\t" ? tabStop - (column % tabStop) : columnsOf(other, []);
  return tabStop - (column % tabStop);
}
