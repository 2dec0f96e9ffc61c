// Input line by line.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { Tool } from "./tool.ts";

/** A whole line is worked on in one turn: longer ones take more than a turn may. */
const maximumLineLength = 4_194_304;

/** Lines of a descriptor as they come; the last may lack its newline. Throws SysError ENOMEM for lines beyond 4 MiB. */
export class LineReader {
  readonly #self: Process;
  readonly #fd: number;
  readonly #decoder = new TextDecoder();
  /** Read, and not given yet. */
  #text = "";
  /** The beginning of a line whose end is not there yet. */
  #begun: string[] = [];
  #heldBytes = 0;
  #ended = false;
  /** Whether the line given last had its newline. */
  terminated = true;

  constructor(self: Process, fd: number) {
    this.#self = self;
    this.#fd = fd;
  }

  /** More lines are at hand without reading. */
  get buffered(): boolean {
    return this.#text.includes("\n");
  }

  *next(): Sys<string | undefined> {
    this.#hold(0);
    this.#self.spend(1);
    yield* this.#self.breathe();
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end >= 0) {
        const line = this.#whole(this.#text.slice(0, end));
        this.#text = this.#text.slice(end + 1);
        this.terminated = true;
        return line;
      }
      if (this.#text !== "") this.#begun.push(this.#text);
      this.#text = "";
      if (this.#ended) {
        if (this.#begun.length === 0) return undefined;
        this.terminated = false;
        return this.#whole("");
      }
      const bytes = yield* this.#self.read(this.#fd);
      if (bytes.length === 0) this.#ended = true;
      if (this.#begun.length > 0) this.#hold(this.#heldBytes + bytes.length);
      this.#text = this.#decoder.decode(bytes, { stream: bytes.length > 0 });
    }
  }

  #whole(end: string): string {
    if (this.#begun.length === 0) return end;
    const length = this.#begun.reduce((sum, piece) => sum + piece.length, end.length);
    const begun = this.#begun;
    this.#begun = [];
    if (length > maximumLineLength) throw new SysError("ENOMEM");
    const line = begun.join("") + end;
    // The line, and what is made of it.
    this.#hold(2 * this.#heldBytes);
    this.#self.spend(line.length >> 6);
    return line;
  }

  /** Long lines count as memory. */
  #hold(bytes: number): void {
    if (bytes === this.#heldBytes) return;
    this.#self.holdMemory(bytes - this.#heldBytes);
    this.#heldBytes = bytes;
  }
}

/** Calls `each` per line, and writes what was printed whenever the input makes it wait. */
export function* eachLine(
  tool: Tool,
  fd: number,
  each: (line: string, terminated: boolean) => Sys<boolean | undefined>,
): Sys<void> {
  const reader = new LineReader(tool.self, fd);
  for (;;) {
    if (!reader.buffered) yield* tool.flush();
    const line = yield* reader.next();
    if (line === undefined) return;
    if ((yield* each(line, reader.terminated)) === true) return;
  }
}

/** Lines of a text, without a last empty one. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
