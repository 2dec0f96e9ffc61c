import type { Sys } from "#sim/program.ts";
import { type Ending, fileHeading, holdEnding, lastBytes, lastLines, readEndCount } from "../toolkit/file-ends.ts";
import type { CommandDefinition, Tool } from "../toolkit/tool.ts";

const newline = 10;

export const head: CommandDefinition = {
  name: "head",
  options: "n,lines= c,bytes= q,quiet,silent v,verbose",
  usage: "head [OPTIONS] [FILE]...\n\nPrint first 10 lines of FILEs (or stdin)",
  numberOption: "n",
  *run(tool) {
    const bytes = tool.has("c") ? readEndCount(tool, "c", "number of bytes") : undefined;
    const lines = tool.has("n") ? readEndCount(tool, "n", "number of lines") : 10;
    let first = true;
    yield* tool.eachOperand(
      tool.operands.length === 0 ? ["-"] : tool.operands,
      function* (path) {
        const fd = tool.openInput(path);
        yield* tool.print(fileHeading(tool, path, first));
        first = false;
        yield* copyFirst(tool, fd, bytes, lines);
        tool.closeInput(fd);
      },
      (path, error) => {
        if (!tool.gnu) return `${path}: ${error.message}`;
        return error.code === "EISDIR"
          ? `error reading '${path}': ${error.message}`
          : `cannot open '${path}' for reading: ${error.message}`;
      },
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
