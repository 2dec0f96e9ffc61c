// head and tail.

import type { Bytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import { areSharedZeros } from "#sim/process/backing.ts";
import type { Sys } from "#sim/program.ts";
import { HeldBytes } from "./held-bytes.ts";
import { type CommandDefinition, readCount, type Tool, ToolFailure } from "./tool.ts";

const newline = 10;

function count(tool: Tool, option: string, what: string): number {
  const text = tool.value(option) as string;
  try {
    return readCount(text, what);
  } catch (error) {
    if (error instanceof ToolFailure && !tool.gnu) throw new ToolFailure(`invalid number '${text}'`);
    throw error;
  }
}

function heading(tool: Tool, path: string, first: boolean): string {
  const many = tool.operands.length > 1;
  if (tool.has("q") || !(many || tool.has("v"))) return "";
  return `${first ? "" : "\n"}==> ${path === "-" ? "standard input" : path} <==\n`;
}

export const head: CommandDefinition = {
  name: "head",
  options: "n,lines= c,bytes= q,quiet,silent v,verbose",
  usage: "head [OPTIONS] [FILE]...\n\nPrint first 10 lines of FILEs (or stdin)",
  numberOption: "n",
  *run(tool) {
    const bytes = tool.has("c") ? count(tool, "c", "number of bytes") : undefined;
    const lines = tool.has("n") ? count(tool, "n", "number of lines") : 10;
    let first = true;
    yield* tool.eachOperand(
      tool.operands.length === 0 ? ["-"] : tool.operands,
      function* (path) {
        const fd = tool.openInput(path);
        yield* tool.print(heading(tool, path, first));
        first = false;
        yield* copyFirst(tool, fd, bytes, lines);
        tool.closeInput(fd);
      },
      (path, error) =>
        tool.gnu
          ? error.code === "EISDIR"
            ? `error reading '${path}': ${error.message}`
            : `cannot open '${path}' for reading: ${error.message}`
          : `${path}: ${error.message}`,
    );
    return 0;
  },
};

function* copyFirst(tool: Tool, fd: number, byteCount: number | undefined, lineCount: number): Sys<void> {
  if ((byteCount ?? lineCount) < 0) {
    yield* copyAllBut(tool, fd, byteCount === undefined ? lastLines(-lineCount) : lastBytes(-byteCount));
    return;
  }
  let bytes = byteCount ?? Number.POSITIVE_INFINITY;
  let lines = byteCount === undefined ? lineCount : Number.POSITIVE_INFINITY;
  while (bytes > 0 && lines > 0) {
    const chunk = yield* tool.self.read(fd, Math.min(bytes, 65_536));
    if (chunk.length === 0) return;
    let end = lines === Number.POSITIVE_INFINITY ? chunk.length : 0;
    while (end < chunk.length && lines > 0) {
      const at = chunk.indexOf(newline, end);
      if (at >= 0) lines -= 1;
      end = at < 0 ? chunk.length : at + 1;
    }
    bytes -= end;
    yield* tool.print(chunk.subarray(0, end));
    yield* tool.flush();
  }
}

/** What is to be left at the end of an input: measured in lines or in bytes. */
interface Ending {
  /** What a piece counts for. */
  measure(piece: Bytes): number;
  /** Pieces in front may go as long as so much is left. */
  readonly enough: number;
  /** Where it begins in what is left. */
  start(held: HeldBytes): number;
}

function lastBytes(count: number): Ending {
  return { measure: (piece) => piece.length, enough: count, start: (held) => Math.max(0, held.length - count) };
}

function lastLines(count: number): Ending {
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
function* holdEnding(tool: Tool, fd: number, ending: Ending, passed: (piece: Bytes) => Sys<void>): Sys<HeldBytes> {
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

function* copyAllBut(tool: Tool, fd: number, ending: Ending): Sys<void> {
  const held = yield* holdEnding(tool, fd, ending, (piece) => tool.print(piece));
  let left = ending.start(held);
  for (const piece of held.from(0)) {
    if (left <= 0) break;
    yield* tool.print(piece.subarray(0, left));
    left -= piece.length;
  }
  held.release();
}

function* copyLast(tool: Tool, fd: number, ending: Ending): Sys<void> {
  const held = yield* holdEnding(tool, fd, ending, function* () {});
  for (const piece of held.from(ending.start(held))) yield* tool.print(piece);
  held.release();
}

/** From a line or byte on, counted from 1. */
function* copyFrom(tool: Tool, fd: number, first: number, unit: "lines" | "bytes"): Sys<void> {
  let left = Math.max(0, first - 1);
  for (;;) {
    const chunk = yield* tool.self.read(fd);
    if (chunk.length === 0) return;
    let start = 0;
    if (unit === "bytes") {
      start = Math.min(left, chunk.length);
      left -= start;
    } else {
      while (left > 0 && start < chunk.length) {
        const at = chunk.indexOf(newline, start);
        start = at < 0 ? chunk.length : at + 1;
        if (at >= 0) left -= 1;
      }
    }
    yield* tool.print(chunk.subarray(start));
  }
}

export const tail: CommandDefinition = {
  name: "tail",
  options: "n,lines= c,bytes= f,follow=? F q,quiet,silent v,verbose s,sleep-interval= retry pid=",
  usage: "tail [OPTIONS] [FILE]...\n\nPrint last 10 lines of FILEs (or stdin) to.",
  numberOption: "n",
  *run(tool) {
    const bytes = tool.value("c");
    const lines = tool.value("n") ?? "10";
    const amount = tool.has("c") ? count(tool, "c", "number of bytes") : tool.has("n") ? count(tool, "n", "number of lines") : 10;
    const fromFront = (bytes ?? lines).startsWith("+");
    const copy = (fd: number): Sys<void> => {
      if (fromFront) return copyFrom(tool, fd, amount, bytes === undefined ? "lines" : "bytes");
      return copyLast(tool, fd, bytes === undefined ? lastLines(Math.abs(amount)) : lastBytes(Math.abs(amount)));
    };
    const followed: Followed[] = [];
    let first = true;
    const follow = tool.has("f") || tool.has("F");
    for (const path of tool.operands.length === 0 ? ["-"] : tool.operands) {
      try {
        const fd = tool.openInput(path);
        yield* tool.print(heading(tool, path, first));
        first = false;
        yield* copy(fd);
        if (follow && path !== "-") followed.push({ path, fd, inode: tool.self.fstat(fd).inode });
        else tool.closeInput(fd);
      } catch (error) {
        if (!(error instanceof SysError) || error.code === "EPIPE") throw error;
        yield* tool.warn(
          tool.gnu ? `cannot open '${path}' for reading: ${error.message}` : `can't open '${path}': ${error.message}`,
        );
        if (tool.has("F")) followed.push({ path, fd: undefined, inode: undefined });
      }
    }
    if (follow && followed.length === 0 && tool.operands.length > 0)
      throw new ToolFailure(tool.gnu ? "no files remaining" : "no files");
    if (follow) yield* followFiles(tool, followed);
    return 0;
  },
};

interface Followed {
  readonly path: string;
  fd: number | undefined;
  inode: number | undefined;
}

/** Polls as tail does without inotify; ends only by a signal. */
function* followFiles(tool: Tool, files: readonly Followed[]): Sys<never> {
  const interval = Number(tool.value("s") ?? 1) * 1000;
  let last = files.at(-1);
  for (;;) {
    for (const file of files) {
      if (!(yield* hasNewContent(tool, file)) || file.fd === undefined) continue;
      for (;;) {
        const chunk = yield* tool.self.read(file.fd);
        if (chunk.length === 0) break;
        if (last !== file) yield* tool.print(heading(tool, file.path, false));
        last = file;
        yield* tool.print(chunk);
      }
    }
    yield* tool.flush();
    yield* tool.self.sleep(interval);
  }
}

/** Looks where the file is now. */
function* hasNewContent(tool: Tool, file: Followed): Sys<boolean> {
  const { self } = tool;
  if (tool.has("F")) {
    try {
      const inode = self.stat(file.path).inode;
      if (inode !== file.inode) {
        if (file.fd !== undefined) {
          yield* tool.warn(
            tool.gnu
              ? `'${file.path}' has been replaced;  following new file`
              : `${file.path} has been replaced; following new file`,
            tool.status,
          );
          self.close(file.fd);
        } else if (tool.gnu) yield* tool.warn(`'${file.path}' has appeared;  following new file`, tool.status);
        file.fd = self.open(file.path, { read: true });
        file.inode = inode;
      }
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
  }
  if (file.fd === undefined) return false;
  const size = self.fstat(file.fd).sizeBytes;
  if (size < self.seek(file.fd, 0, "current")) {
    yield* tool.warn(`${file.path}: file truncated`, tool.status);
    self.seek(file.fd, 0, "start");
  }
  return true;
}
