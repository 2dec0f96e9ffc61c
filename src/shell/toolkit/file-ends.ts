// What head and tail share: the last lines or bytes of an input that nobody knows the length of.

import type { Bytes } from "#sim/bytes.ts";
import { areSharedZeros } from "#sim/process/backing.ts";
import type { Sys } from "#sim/program.ts";
import { readCount } from "./counts.ts";
import { HeldBytes } from "./held-bytes.ts";
import { type Tool, ToolFailure } from "./tool.ts";

const newline = 10;

/** The count of `-n` or `-c`. Throws ToolFailure in the flavour's words. */
export function readEndCount(tool: Tool, option: string, what: string): number {
  const text = tool.value(option) as string;
  try {
    return readCount(text, what);
  } catch (error) {
    if (error instanceof ToolFailure && !tool.gnu) throw new ToolFailure(`invalid number '${text}'`);
    throw error;
  }
}

/** What stands above a file's part when there are several, or `-v`. */
export function fileHeading(tool: Tool, path: string, first: boolean): string {
  const many = tool.operands.length > 1;
  if (tool.has("q") || !(many || tool.has("v"))) return "";
  return `${first ? "" : "\n"}==> ${path === "-" ? "standard input" : path} <==\n`;
}

/** What is to be left at the end of an input: measured in lines or in bytes. */
export interface Ending {
  /** What a piece counts for. */
  measure(piece: Bytes): number;
  /** Pieces in front may go as long as so much is left. */
  readonly enough: number;
  /** Where it begins in what is left. */
  start(held: HeldBytes): number;
}

export function lastBytes(count: number): Ending {
  return { measure: (piece) => piece.length, enough: count, start: (held) => Math.max(0, held.length - count) };
}

export function lastLines(count: number): Ending {
  return {
    measure: newlinesIn,
    // A last newline ends a line and begins none.
    enough: count + 1,
    start(held) {
      if (count === 0) return held.length;
      const pieces = [...held.from(0)];
      let left = count;
      let end = held.length;
      for (const piece of pieces.reverse()) {
        const start = end - piece.length;
        for (let at = piece.lastIndexOf(newline); at >= 0; at = at === 0 ? -1 : piece.lastIndexOf(newline, at - 1)) {
          if (start + at === held.length - 1) continue;
          left -= 1;
          if (left === 0) return start + at + 1;
        }
        end = start;
      }
      return 0;
    },
  };
}

function newlinesIn(piece: Bytes): number {
  if (areSharedZeros(piece)) return 0;
  let count = 0;
  for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) count += 1;
  return count;
}

/** Reads to the end of the input and keeps what the ending may need; `passed` is called with the rest, in order. */
export function* holdEnding(tool: Tool, fd: number, ending: Ending, passed: (piece: Bytes) => Sys<void>): Sys<HeldBytes> {
  const held = new HeldBytes(tool.self);
  const measures: number[] = [];
  let total = 0;
  for (;;) {
    const chunk = yield* tool.self.read(fd);
    if (chunk.length === 0) return held;
    held.push(chunk);
    const measure = ending.measure(chunk);
    measures.push(measure);
    total += measure;
    while (measures.length > 1 && total - (measures[0] as number) >= ending.enough) {
      total -= measures.shift() as number;
      yield* passed(held.first as Bytes);
      held.dropFirst();
    }
  }
}
