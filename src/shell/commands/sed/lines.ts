import type { Sys } from "#sim/program.ts";
import { LineReader } from "../../toolkit/lines.ts";
import type { Tool } from "../../toolkit/tool.ts";
import type { LineSource } from "./editor.ts";

/** Lines of several inputs one after the other, with one line of look-ahead. */
export class Lines implements LineSource {
  readonly #tool: Tool;
  readonly #paths: string[];
  #reader: LineReader | undefined;
  #ahead: string | undefined;
  #peeked = false;

  constructor(tool: Tool, paths: readonly string[]) {
    this.#tool = tool;
    this.#paths = [...paths];
  }

  *next(): Sys<string | undefined> {
    if (this.#peeked) {
      this.#peeked = false;
      return this.#ahead;
    }
    for (;;) {
      if (this.#reader === undefined) {
        const path = this.#paths.shift();
        if (path === undefined) return undefined;
        const tool = this.#tool;
        let fd: number | undefined;
        yield* tool.eachOperand(
          [path],
          function* () {
            fd = tool.openInput(path);
          },
          (_path, error) => {
            if (error.code === "EISDIR") return `couldn't edit ${path}: not a regular file`;
            return tool.gnu ? `can't read ${path}: ${error.message}` : `${path}: ${error.message}`;
          },
        );
        if (tool.status === 1 && tool.gnu) tool.status = 2;
        if (fd === undefined) continue;
        this.#reader = new LineReader(tool.self, fd);
      }
      if (!this.#reader.buffered) yield* this.#tool.flush();
      const line = yield* this.#reader.next();
      if (line !== undefined) return line;
      this.#reader = undefined;
    }
  }

  *isLast(): Sys<boolean> {
    if (!this.#peeked) {
      this.#ahead = yield* this.next();
      this.#peeked = true;
    }
    return this.#ahead === undefined;
  }
}
