import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { type Ending, fileHeading, holdEnding, lastBytes, lastLines, readEndCount } from "../toolkit/file-ends.ts";
import { type CommandDefinition, type Tool, ToolFailure } from "../toolkit/tool.ts";

const newline = 10;

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
    let amount = 10;
    if (tool.has("c")) amount = readEndCount(tool, "c", "number of bytes");
    else if (tool.has("n")) amount = readEndCount(tool, "n", "number of lines");
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
        yield* tool.print(fileHeading(tool, path, first));
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
        if (last !== file) yield* tool.print(fileHeading(tool, file.path, false));
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
