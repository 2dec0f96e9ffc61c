// diff: normal and unified, of files and directories.

import { differences, type Hunk } from "#differences/differences.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import type { Sys } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { baseName } from "../toolkit/base-name.ts";
import { type CommandDefinition, type Tool, UsageFailure } from "../toolkit/tool.ts";

interface Side {
  readonly lines: readonly string[];
  readonly noNewline: boolean;
}

function readSide(text: string): Side {
  const lines = text.split("\n");
  const noNewline = lines.at(-1) !== "";
  if (!noNewline) lines.pop();
  return { lines, noNewline: noNewline && text !== "" };
}

const noNewlineNote = "\\ No newline at end of file\n";

function normalText(a: Side, b: Side, hunks: readonly Hunk[]): string {
  const range = (start: number, end: number) => (end - start <= 1 ? String(end) : `${start + 1},${end}`);
  let text = "";
  for (const hunk of hunks) {
    const [removed, added] = [hunk.oldEnd - hunk.oldStart, hunk.newEnd - hunk.newStart];
    let kind = "c";
    if (removed === 0) kind = "a";
    else if (added === 0) kind = "d";
    text += `${removed === 0 ? hunk.oldStart : range(hunk.oldStart, hunk.oldEnd)}${kind}${added === 0 ? hunk.newStart : range(hunk.newStart, hunk.newEnd)}\n`;
    for (let i = hunk.oldStart; i < hunk.oldEnd; i += 1)
      text += `< ${a.lines[i]}\n${a.noNewline && i === a.lines.length - 1 ? noNewlineNote : ""}`;
    if (kind === "c") text += "---\n";
    for (let i = hunk.newStart; i < hunk.newEnd; i += 1)
      text += `> ${b.lines[i]}\n${b.noNewline && i === b.lines.length - 1 ? noNewlineNote : ""}`;
  }
  return text;
}

/** Unified hunks with `context` lines around. */
export function unifiedText(a: Side, b: Side, hunks: readonly Hunk[], context: number): string {
  let text = "";
  for (let i = 0; i < hunks.length; ) {
    let j = i;
    while (j + 1 < hunks.length && (hunks[j + 1] as Hunk).oldStart - (hunks[j] as Hunk).oldEnd <= context * 2) j += 1;
    const group = hunks.slice(i, j + 1);
    const [first, last] = [group[0] as Hunk, group.at(-1) as Hunk];
    const lead = Math.min(context, first.oldStart);
    const oldFrom = first.oldStart - lead;
    const oldTo = Math.min(a.lines.length, last.oldEnd + context);
    const newFrom = first.newStart - lead;
    const newTo = Math.min(b.lines.length, last.newEnd + context);
    const range = (from: number, to: number) =>
      to - from === 1 ? String(from + 1) : `${to === from ? from : from + 1},${to - from}`;
    text += `@@ -${range(oldFrom, oldTo)} +${range(newFrom, newTo)} @@\n`;
    const line = (mark: string, side: Side, at: number) =>
      `${mark}${side.lines[at]}\n${side.noNewline && at === side.lines.length - 1 ? noNewlineNote : ""}`;
    let at = oldFrom;
    for (const hunk of group) {
      for (; at < hunk.oldStart; at += 1) text += line(" ", a, at);
      for (; at < hunk.oldEnd; at += 1) text += line("-", a, at);
      for (let k = hunk.newStart; k < hunk.newEnd; k += 1) text += line("+", b, k);
    }
    for (; at < oldTo; at += 1) text += line(" ", a, at);
    i = j + 1;
  }
  return text;
}

function* compareFiles(tool: Tool, oldPath: string, newPath: string, heading: string): Sys<number> {
  const texts: (string | undefined)[] = [];
  for (const path of [oldPath, newPath]) {
    let text: string | undefined;
    yield* tool.eachOperand([path], function* () {
      text = decodeUtf8(yield* tool.readAll(path));
    });
    if (text === undefined && tool.has("N")) {
      tool.status = 0;
      text = "";
    }
    texts.push(text);
  }
  const [before, after] = texts;
  if (before === undefined || after === undefined) return 2;
  const [a, b] = [readSide(before), readSide(after)];
  const key = (line: string) => {
    let text = line;
    if (tool.has("w")) text = line.replace(/\s+/gu, "");
    else if (tool.has("b")) text = line.replace(/\s+/gu, " ").trimEnd();
    if (tool.has("i")) text = asciiLowerCase(text);
    return text;
  };
  const mark = (side: Side) =>
    side.lines.map((line, index) => key(line) + (side.noNewline && index === side.lines.length - 1 ? "\0" : ""));
  let hunks = differences(mark(a), mark(b));
  if (tool.has("B"))
    hunks = hunks.filter((hunk) =>
      [...a.lines.slice(hunk.oldStart, hunk.oldEnd), ...b.lines.slice(hunk.newStart, hunk.newEnd)].some(
        (line) => line.trim() !== "",
      ),
    );
  if (hunks.length === 0) {
    if (tool.has("s")) yield* tool.print(`Files ${oldPath} and ${newPath} are identical\n`);
    return 0;
  }
  if (tool.has("q")) {
    yield* tool.print(`Files ${oldPath} and ${newPath} differ\n`);
    return 1;
  }
  yield* tool.print(heading);
  if (!tool.has("u") && !tool.has("U") && tool.gnu) {
    yield* tool.print(normalText(a, b, hunks));
    return 1;
  }
  const label = (path: string, index: number) => {
    const given = tool.values("L")[index];
    if (given !== undefined) return given;
    if (!tool.gnu) return path;
    const time = path === "-" ? tool.self.nowMs : tool.self.stat(path).modifiedMs;
    return `${path}\t${formatDate("%Y-%m-%d %H:%M:%S.%N %z", time)}`;
  };
  yield* tool.print(
    `--- ${label(oldPath, 0)}\n+++ ${label(newPath, 1)}\n${unifiedText(a, b, hunks, Number(tool.value("U") ?? 3))}`,
  );
  return 1;
}

function* compare(tool: Tool, oldPath: string, newPath: string, depth: number): Sys<number> {
  const type = (path: string) => (path === "-" ? "file" : tool.self.stat(path).type);
  const [a, b] = [type(oldPath), type(newPath)];
  if (a === "directory" && b !== "directory") return yield* compareFiles(tool, `${oldPath}/${baseName(newPath)}`, newPath, "");
  if (b === "directory" && a !== "directory") return yield* compareFiles(tool, oldPath, `${newPath}/${baseName(oldPath)}`, "");
  if (a !== "directory") {
    // As GNU diff names a pair of files within directories: with the options as they were typed.
    const options = tool.self.argv.slice(1).filter((word) => word.startsWith("-") && word !== "-");
    const heading = depth > 0 ? `${["diff", ...options, oldPath, newPath].join(" ")}\n` : "";
    return yield* compareFiles(tool, oldPath, newPath, heading);
  }
  let status = 0;
  const [left, right] = [tool.self.readdir(oldPath), tool.self.readdir(newPath)];
  for (const name of [...new Set([...left, ...right])].sort()) {
    const [inOld, inNew] = [left.includes(name), right.includes(name)];
    if (inOld && inNew) {
      const both = [`${oldPath}/${name}`, `${newPath}/${name}`] as const;
      if (tool.self.stat(both[0]).type === "directory" && !tool.has("r"))
        yield* tool.print(`Common subdirectories: ${both[0]} and ${both[1]}\n`);
      else status = Math.max(status, yield* compare(tool, both[0], both[1], depth + 1));
    } else if (tool.has("N")) status = Math.max(status, yield* compareFiles(tool, `${oldPath}/${name}`, `${newPath}/${name}`, ""));
    else {
      status = Math.max(status, 1);
      yield* tool.print(`Only in ${inOld ? oldPath : newPath}: ${name}\n`);
    }
  }
  return status;
}

export const diff: CommandDefinition = {
  name: "diff",
  options:
    "u U,unified= q,brief r,recursive N,new-file i,ignore-case w,ignore-all-space b,ignore-space-change B,ignore-blank-lines s,report-identical-files L,label= a,text color=? d t T",
  usage: "diff [-abBdiNqrTstw] [-L LABEL] [-S FILE] [-U LINES] FILE1 FILE2",
  usageStatus: 2,
  *run(tool) {
    const [oldPath, newPath, extra] = tool.operands;
    if (oldPath === undefined || newPath === undefined)
      throw new UsageFailure(tool.gnu ? `missing operand after '${oldPath ?? "diff"}'` : "");
    if (extra !== undefined) throw new UsageFailure(tool.gnu ? `extra operand '${extra}'` : "");
    let status = 2;
    yield* tool.eachOperand([oldPath, newPath], function* (path) {
      if (path !== "-") tool.self.stat(path);
    });
    if (tool.status === 0 || tool.has("N")) status = yield* compare(tool, oldPath, newPath, 0);
    return status;
  },
};
