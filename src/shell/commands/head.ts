// head and tail.

import { type Bytes, concatBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
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
    const all = yield* readRest(tool, fd);
    yield* tool.print(all.subarray(0, byteCount === undefined ? lineStart(all, -lineCount) : Math.max(0, all.length + byteCount)));
    return;
  }
  let bytes = byteCount ?? Number.POSITIVE_INFINITY;
  let lines = byteCount === undefined ? lineCount : Number.POSITIVE_INFINITY;
  while (bytes > 0 && lines > 0) {
    const chunk = yield* tool.self.read(fd);
    if (chunk.length === 0) return;
    let end = 0;
    while (end < chunk.length && bytes > 0 && lines > 0) {
      if (chunk[end] === newline) lines -= 1;
      end += 1;
      bytes -= 1;
    }
    yield* tool.print(chunk.subarray(0, end));
    yield* tool.flush();
  }
}

function* readRest(tool: Tool, fd: number): Sys<Bytes> {
  const parts: Bytes[] = [];
  for (;;) {
    const chunk = yield* tool.self.read(fd);
    if (chunk.length === 0) return concatBytes(parts);
    parts.push(chunk);
  }
}

/** Where the last `lines` lines begin. */
function lineStart(all: Bytes, lines: number): number {
  if (lines === 0) return all.length;
  let left = lines;
  for (let i = all.length - 2; i >= 0; i -= 1) {
    if (all[i] === newline) {
      left -= 1;
      if (left === 0) return i + 1;
    }
  }
  return 0;
}

function fromStart(all: Bytes, line: number): number {
  let left = line - 1;
  for (let i = 0; i < all.length && left > 0; i += 1) {
    if (all[i] === newline) left -= 1;
    if (left === 0) return i + 1;
  }
  return left > 0 ? all.length : 0;
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
    const start = (all: Bytes): number => {
      const plus = (bytes ?? lines).startsWith("+");
      if (bytes !== undefined) return plus ? Math.max(0, amount - 1) : Math.max(0, all.length - Math.abs(amount));
      return plus ? fromStart(all, amount) : lineStart(all, Math.abs(amount));
    };
    const followed: Followed[] = [];
    let first = true;
    const follow = tool.has("f") || tool.has("F");
    for (const path of tool.operands.length === 0 ? ["-"] : tool.operands) {
      try {
        const fd = tool.openInput(path);
        const all = yield* readRest(tool, fd);
        yield* tool.print(heading(tool, path, first));
        first = false;
        yield* tool.print(all.subarray(start(all)));
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
      const chunk = yield* newContent(tool, file);
      if (chunk.length === 0) continue;
      if (last !== file) yield* tool.print(heading(tool, file.path, false));
      last = file;
      yield* tool.print(chunk);
    }
    yield* tool.flush();
    yield* tool.self.sleep(interval);
  }
}

function* newContent(tool: Tool, file: Followed): Sys<Bytes> {
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
  if (file.fd === undefined) return new Uint8Array(0);
  const size = self.fstat(file.fd).sizeBytes;
  if (size < self.seek(file.fd, 0, "current")) {
    yield* tool.warn(`${file.path}: file truncated`, tool.status);
    self.seek(file.fd, 0, "start");
  }
  return yield* readRest(tool, file.fd);
}
