import { SysError } from "#sim/errors.ts";
import type { FileStat } from "#sim/files.ts";
import type { Sys } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { groupName, userName } from "../toolkit/accounts.ts";
import { modeText } from "../toolkit/file-modes.ts";
import { humanSize } from "../toolkit/human-size.ts";
import { columnsText } from "../toolkit/name-columns.ts";
import type { CommandDefinition, Tool } from "../toolkit/tool.ts";

interface Entry {
  readonly name: string;
  readonly path: string;
  readonly stat: FileStat;
}

export const ls: CommandDefinition = {
  name: "ls",
  unsupported: "c u Z",
  options:
    "a,all A,almost-all l h,human-readable 1 R,recursive t r,reverse d,directory F,classify=? p S i,inode n,numeric-uid-gid g o G,no-group s,size C x X c u f U k L,dereference H Z q w= color=? full-time group-directories-first time-style=",
  usage: "ls [-1AaCxdLHRFplinshrSXvctuk] [FILE]...\n\nList directory contents",
  usageStatus: 2,
  *run(tool) {
    const files: Entry[] = [];
    const directories: Entry[] = [];
    for (const path of tool.operands.length === 0 ? ["."] : tool.operands) {
      try {
        const entry = readEntry(tool, path, path, !tool.has("d") && !tool.has("l"));
        const through = entry.stat.type === "symlink" && !tool.has("l") ? tool.self.stat(path) : entry.stat;
        if (through.type === "directory" && !tool.has("d")) directories.push(entry);
        else files.push(entry);
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        yield* tool.warn(tool.gnu ? `cannot access '${path}': ${error.message}` : `${path}: ${error.message}`, tool.gnu ? 2 : 1);
      }
    }
    yield* printEntries(tool, sortEntries(tool, files), false);
    const titled = tool.operands.length > 1 || tool.has("R");
    let first = files.length === 0;
    for (const directory of sortEntries(tool, directories)) {
      first = yield* listDirectory(tool, directory.path, titled, first, 0);
    }
    return 0;
  },
};

function readEntry(tool: Tool, path: string, name: string, follow: boolean): Entry {
  if (tool.has("L") || follow) {
    try {
      return { name, path, stat: tool.self.stat(path) };
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
  }
  return { name, path, stat: tool.self.lstat(path) };
}

function* listDirectory(tool: Tool, path: string, titled: boolean, first: boolean, depth: number): Sys<boolean> {
  let names: readonly string[];
  try {
    names = tool.self.readdir(path);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    yield* tool.warn(
      tool.gnu ? `cannot open directory '${path}': ${error.message}` : `can't open '${path}': ${error.message}`,
      tool.gnu ? 2 : 1,
    );
    return first;
  }
  const all = tool.has("a") || tool.has("f");
  const shown = [...(all ? [".", ".."] : []), ...names.filter((name) => all || tool.has("A") || !name.startsWith("."))];
  const entries = sortEntries(
    tool,
    shown.map((name) => readEntry(tool, path.endsWith("/") ? path + name : `${path}/${name}`, name, false)),
  );
  if (titled) yield* tool.print(`${first ? "" : "\n"}${path}:\n`);
  yield* printEntries(tool, entries, true);
  if (tool.has("R") && depth < 64) {
    for (const entry of entries) {
      if (entry.stat.type === "directory" && entry.name !== "." && entry.name !== "..")
        yield* listDirectory(tool, entry.path, true, false, depth + 1);
    }
  }
  return false;
}

function sortEntries(tool: Tool, entries: readonly Entry[]): Entry[] {
  if (tool.has("U") || tool.has("f")) return [...entries];
  const byName = (a: Entry, b: Entry) => {
    if (a.name < b.name) return -1;
    return a.name > b.name ? 1 : 0;
  };
  const order = tool.lastOf("t", "S", "X");
  const sorted = [...entries].sort((a, b) => {
    if (order === "t") return b.stat.modifiedMs - a.stat.modifiedMs || byName(a, b);
    if (order === "S") return b.stat.sizeBytes - a.stat.sizeBytes || byName(a, b);
    return byName(a, b);
  });
  if (tool.has("r")) sorted.reverse();
  if (tool.has("group-directories-first"))
    sorted.sort((a, b) => Number(b.stat.type === "directory") - Number(a.stat.type === "directory"));
  return sorted;
}

function suffix(tool: Tool, entry: Entry): string {
  if (tool.has("F")) {
    if (entry.stat.type === "file") return (entry.stat.permissions & 0o111) !== 0 ? "*" : "";
    return { directory: "/", symlink: "@", fifo: "|", socket: "=" }[entry.stat.type as string] ?? "";
  }
  return tool.has("p") && entry.stat.type === "directory" ? "/" : "";
}

function colored(tool: Tool, entry: Entry): string {
  const when = tool.value("color");
  const tty = tool.self.isTty(1);
  const on = when === undefined ? !tool.gnu && tty : when === "always" || when === "" || (when === "auto" && tty);
  if (!on) return entry.name;
  const code = { directory: "01;34", symlink: "01;36", fifo: "33", socket: "01;35" }[entry.stat.type as string];
  const chosen = code ?? (entry.stat.type === "file" && (entry.stat.permissions & 0o111) !== 0 ? "01;32" : undefined);
  return chosen === undefined ? entry.name : `\x1b[${chosen}m${entry.name}\x1b[0m`;
}

/** Where a link leads; some in /proc do not tell everyone. */
function* targetText(tool: Tool, { path, stat }: Entry): Sys<string> {
  if (stat.type !== "symlink") return "";
  try {
    return ` -> ${tool.self.readlink(path)}`;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const what = tool.gnu ? `cannot read symbolic link '${path}'` : `${path}: cannot read link`;
    yield* tool.warn(`${what}: ${error.message}`, 1);
    return "";
  }
}

function* printEntries(tool: Tool, entries: readonly Entry[], inDirectory: boolean): Sys<void> {
  if (tool.has("l") || tool.has("n") || tool.has("g") || tool.has("o") || tool.has("full-time")) {
    const size = (entry: Entry) => (tool.has("h") ? humanSize(entry.stat.sizeBytes) : String(entry.stat.sizeBytes));
    if (inDirectory) {
      const blocks = entries.reduce((sum, entry) => sum + blocksOf(entry.stat), 0);
      yield* tool.print(`total ${tool.has("h") ? humanSize(blocks * 1024) : blocks}\n`);
    }
    const rows = entries.map((entry) => [
      ...(tool.has("i") ? [String(entry.stat.inode)] : []),
      modeText(entry.stat),
      String(entry.stat.links),
      ...(tool.has("g") ? [] : [tool.has("n") ? String(entry.stat.uid) : userName(tool.self, entry.stat.uid)]),
      ...(tool.has("o") || tool.has("G") ? [] : [tool.has("n") ? String(entry.stat.gid) : groupName(tool.self, entry.stat.gid)]),
      size(entry),
    ]);
    const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => (row[column] as string).length)));
    for (const [index, entry] of entries.entries()) {
      const row = rows[index] as string[];
      const mode = tool.has("i") ? 1 : 0;
      const cells = row.map((cell, column) => {
        const right = column === row.length - 1 || column === mode + 1 || column < mode;
        const width = tool.gnu
          ? (widths[column] as number)
          : Math.max(widths[column] as number, busyboxWidth(column - mode, row.length - mode));
        return right ? cell.padStart(width) : cell.padEnd(width);
      });
      const target = yield* targetText(tool, entry);
      yield* tool.print(
        `${cells.join(" ")} ${timeText(tool, entry.stat.modifiedMs)} ${colored(tool, entry)}${suffix(tool, entry)}${target}\n`,
      );
    }
    return;
  }
  const names = entries.map((entry) => `${tool.has("i") ? `${entry.stat.inode} ` : ""}${entry.name}${suffix(tool, entry)}`);
  const tty = tool.self.isTty(1);
  if ((!tty && !tool.has("C") && !tool.has("x")) || tool.has("1")) {
    for (const [index, entry] of entries.entries())
      yield* tool.print(`${(names[index] as string).replace(entry.name, () => colored(tool, entry))}\n`);
    return;
  }
  let width = 80;
  if (tool.has("w")) width = Number(tool.value("w"));
  else if (tty) width = tool.self.terminal(1).columns;
  yield* tool.print(
    columnsText(names, width, (name, index) =>
      name.replace((entries[index] as Entry).name, () => colored(tool, entries[index] as Entry)),
    ),
  );
}

/** busybox pads its columns to fixed widths: links 5, owner and group 8, size 9. */
function busyboxWidth(column: number, count: number): number {
  if (column === 0) return 0;
  if (column === 1) return 5;
  return column === count - 1 ? 9 : 8;
}

function blocksOf(stat: FileStat): number {
  if (stat.type === "directory") return 4;
  return stat.type === "file" ? Math.ceil(stat.sizeBytes / 4096) * 4 : 0;
}

const halfYearMs = 15_778_476_000;

function timeText(tool: Tool, ms: number): string {
  if (tool.has("full-time")) return formatDate("%Y-%m-%d %H:%M:%S.%N %z", ms);
  const style = tool.value("time-style");
  if (style?.startsWith("+") === true) return formatDate(style.slice(1), ms);
  if (style === "long-iso") return formatDate("%Y-%m-%d %H:%M", ms);
  const recent = ms > tool.self.nowMs - halfYearMs && ms <= tool.self.nowMs + 1000;
  return formatDate(recent ? "%b %e %H:%M" : "%b %e  %Y", ms);
}
