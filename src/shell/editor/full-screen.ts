// A terminal taken over by one program: rows drawn where they changed, the shell's screen back at the end.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { Terminal, TerminalModes } from "#sim/tty.ts";
import { type Key, KeyReader } from "../line/keys.ts";

/** The terminal as an editor has it: keys come one by one, rows are drawn where they changed. */
export class FullScreen {
  readonly #self: Process;
  readonly #terminal: Terminal;
  readonly #keys: KeyReader;
  readonly #modesBefore: TerminalModes;
  #shown: string[] = [];
  #size = "";

  /** On the terminal of standard input. Throws SysError ENOTTY. */
  constructor(self: Process) {
    this.#self = self;
    this.#terminal = self.terminal(0);
    this.#keys = new KeyReader(self, 0);
    this.#modesBefore = this.#terminal.modes;
  }

  get columns(): number {
    return Math.max(1, this.#terminal.columns);
  }

  get rows(): number {
    return Math.max(1, this.#terminal.rows);
  }

  *open(): Sys<void> {
    this.#terminal.setModes({ ...this.#modesBefore, canonical: false, echo: false, signals: false });
    this.#self.setSignal("WINCH", "catch");
    yield* this.#self.write(1, "\x1b[?1049h\x1b[?2004h\x1b[H\x1b[2J");
    this.#shown = [];
  }

  *close(): Sys<void> {
    this.#terminal.setModes(this.#modesBefore);
    this.#self.setSignal("WINCH", "default");
    yield* this.#self.write(1, "\x1b[?2004l\x1b[?1049l");
  }

  /** Shows rows from the top, each at most as wide as the screen, and puts the cursor. */
  *draw(rows: readonly string[], cursor: { readonly row: number; readonly column: number }): Sys<void> {
    const size = `${this.columns}x${this.rows}`;
    let output = "\x1b[?25l";
    if (size !== this.#size) {
      output += "\x1b[H\x1b[2J";
      this.#shown = [];
      this.#size = size;
    }
    const height = Math.min(rows.length, this.rows);
    for (let row = 0; row < height; row += 1) {
      const text = rows[row] as string;
      if (this.#shown[row] === text || (text === "" && this.#shown[row] === undefined)) continue;
      output += `\x1b[${row + 1};1H${text}\x1b[K`;
    }
    this.#shown = rows.slice(0, height);
    yield* this.#self.write(1, `${output}\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`);
  }

  /** The next drawing writes every row. */
  forget(): void {
    this.#size = "";
  }

  /** A key named "resize" when the window has another size; undefined when the terminal is gone. */
  *key(): Sys<Key | undefined> {
    try {
      return yield* this.#keys.next();
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
      this.#self.takeSignals();
      return { name: "resize" };
    }
  }
}

/** Reverse video over the whole width given. */
export function reversed(text: string): string {
  return `\x1b[7m${text}\x1b[m`;
}
