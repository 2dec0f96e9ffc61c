// tar: ustar archives of files and directories, plain or packed by gzip.

import { type Bytes, concatBytes, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { readTar, type TarEntry, TarError, tarEnd, writeTarEntry } from "#sim/tar.ts";
import { formatDate } from "../text/date-text.ts";
import { groupName, userName } from "../toolkit/accounts.ts";
import { modeText } from "../toolkit/file-modes.ts";
import { GzipError, gzipBytes, unpacked } from "../toolkit/gzip-format.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

/** Goes where `-C` says; false, and the reason is told, where it cannot. */
function* enter(tool: Tool, directory: string | undefined): Sys<boolean> {
  if (directory === undefined) return true;
  try {
    tool.self.chdir(directory);
    return true;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const told = tool.gnu
      ? `tar: ${directory}: Cannot open: ${error.message}\ntar: Error is not recoverable: exiting now\n`
      : `tar: can't change directory to '${directory}': ${error.message}\n`;
    yield* tool.self.write(2, told);
    return false;
  }
}

/** What `--no-same-permissions` is kept as: it has no letter. */
const asUmaskSays = "no-same-permissions";

const longOptions: ReadonlyMap<string, readonly string[]> = new Map([
  ["create", ["c"]],
  ["extract", ["x"]],
  ["list", ["t"]],
  ["verbose", ["v"]],
  ["gzip", ["z"]],
  ["file", ["f"]],
  ["directory", ["C"]],
  ["no-same-owner", ["o"]],
  [asUmaskSays, [asUmaskSays]],
]);

function entryOf(tool: Tool, name: string, path: string): TarEntry {
  const { type, permissions, uid, gid, modifiedMs } = tool.self.lstat(path);
  const isLink = type === "symlink";
  return {
    name: type === "directory" ? `${name}/` : name,
    type: type === "directory" || isLink ? type : "file",
    permissions,
    uid,
    gid,
    userName: userName(tool.self, uid),
    groupName: groupName(tool.self, gid),
    modifiedMs,
    target: isLink ? tool.self.readlink(path) : "",
    content: type === "file" ? tool.self.readFile(path) : noBytes,
  };
}

function written(entry: TarEntry): readonly Bytes[] {
  try {
    return writeTarEntry(entry);
  } catch (error) {
    if (error instanceof TarError) throw new ToolFailure(error.message, 2);
    throw error;
  }
}

function* append(tool: Tool, name: string, parts: Bytes[], depth = 0): Sys<void> {
  const { type } = tool.self.lstat(name);
  if (tool.has("v"))
    yield* tool.self.write(tool.value("f") === "-" || !tool.has("f") ? 2 : 1, `${name}${type === "directory" ? "/" : ""}\n`);
  parts.push(...written(entryOf(tool, name.replace(/^\/+/u, ""), name)));
  if (type !== "directory" || depth >= 64) return;
  for (const child of tool.self.readdir(name))
    yield* append(tool, name.endsWith("/") ? name + child : `${name}/${child}`, parts, depth + 1);
}

function* extract(tool: Tool, archive: Bytes, listOnly: boolean): Sys<void> {
  try {
    for (const entry of readTar(archive)) yield* extractEntry(tool, entry, listOnly);
  } catch (error) {
    if (!(error instanceof TarError)) throw error;
    throw new ToolFailure(`${error.message}\ntar: Exiting with failure status due to previous errors`, 2);
  }
}

function* extractEntry(tool: Tool, entry: TarEntry, listOnly: boolean): Sys<void> {
  const { name, type, permissions, modifiedMs, content } = entry;
  const wanted =
    tool.operands.length === 0 || tool.operands.some((each) => name === each || name.startsWith(`${each.replace(/\/$/u, "")}/`));
  if (!wanted) return;
  if (listOnly && tool.has("v")) {
    const shownType = type === "hard link" ? "file" : type;
    const stat = { type: shownType, permissions, inode: 0, uid: 0, gid: 0, links: 1, sizeBytes: content.length, modifiedMs };
    const size = String(content.length).padStart(9);
    yield* tool.print(`${modeText(stat)} root/root ${size} ${formatDate("%Y-%m-%d %H:%M", modifiedMs)} ${name}\n`);
  } else if (listOnly || tool.has("v")) yield* tool.print(`${name}\n`);
  if (listOnly) return;
  const path = name.replace(/\/$/u, "").replace(/^\/+/u, "");
  const parts = path.split("/");
  if (parts.includes("..")) throw new ToolFailure(`${name}: Member name contains '..'`, 2);
  for (let i = 1; i < parts.length; i += 1) makeDirectory(tool, parts.slice(0, i).join("/"));
  if (type === "symlink") {
    tool.self.symlink(entry.target, path);
    return;
  }
  const mode = tool.has(asUmaskSays) ? permissions & ~tool.self.umask() : permissions;
  if (type === "directory") makeDirectory(tool, path);
  else tool.self.writeFile(path, content, { permissions: mode });
  tool.self.chmod(path, mode & 0o7777);
}

function makeDirectory(tool: Tool, path: string): void {
  try {
    if (tool.self.stat(path).type === "directory") return;
  } catch {
    tool.self.mkdir(path);
  }
}

export const tar: CommandDefinition = {
  name: "tar",
  usage: "tar c|x|t [-vf] [-C DIR] [FILE]...",
  *run(tool) {
    const words = [...tool.operands];
    if (words[0] !== undefined && !words[0].startsWith("-")) words[0] = `-${words[0]}`;
    const given: [string, string][] = [];
    const names: string[] = [];
    for (let i = 0; i < words.length; i += 1) {
      const word = words[i] as string;
      const long = /^--([a-z-]+)(?:=(.*))?$/u.exec(word);
      const letters = /^-[^-]/u.test(word) ? [...word.slice(1)] : undefined;
      const keys = long === null ? letters : longOptions.get(long[1] as string);
      if (keys === undefined) {
        if (word.startsWith("--")) throw new UsageFailure(`unrecognized option '${word}'`, 64);
        names.push(word);
        continue;
      }
      for (const key of keys) {
        if (long === null && !"cxtvzfCmpOoh".includes(key)) throw new UsageFailure(`invalid option -- '${key}'`, 64);
        given.push([key, key === "f" || key === "C" ? (long?.[2] ?? words[++i] ?? "") : ""]);
      }
    }
    tool.given = given;
    tool.operands = names;
    const action = ["c", "x", "t"].find((letter) => tool.has(letter));
    if (action === undefined)
      throw new UsageFailure("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options", 2);
    const file = tool.value("f") ?? "-";
    const directory = tool.value("C");
    if (action === "c") {
      if (names.length === 0) throw new UsageFailure("Cowardly refusing to create an empty archive", 2);
      const target = file === "-" ? undefined : tool.self.open(file, { write: true, create: true, truncate: true }, 0o666);
      if (!(yield* enter(tool, directory))) return tool.gnu ? 2 : 1;
      const parts: Bytes[] = [];
      yield* tool.eachOperand(
        names,
        (name) => append(tool, name.length > 1 ? name.replace(/\/+$/u, "") : name, parts),
        (path, error) => `${path}: Cannot stat: ${error.message}`,
      );
      parts.push(tarEnd);
      const plain = concatBytes(parts);
      const archive = tool.has("z") ? gzipBytes(tool.self, plain, "", 0) : plain;
      if (target === undefined) yield* tool.print(archive);
      else yield* tool.self.write(target, archive);
      if (tool.status !== 0) {
        yield* tool.warn("Exiting with failure status due to previous errors", 2);
      }
      return 0;
    }
    let archive: Bytes | undefined;
    yield* tool.eachOperand(
      [file],
      function* () {
        archive = yield* tool.readAll(file);
      },
      (path, error) => `${path}: Cannot open: ${error.message}\ntar: Error is not recoverable: exiting now`,
    );
    if (archive === undefined) return 2;
    if (!(yield* enter(tool, directory))) return tool.gnu ? 2 : 1;
    let plain: Bytes;
    try {
      plain = unpacked(tool.self, archive);
      if (tool.has("z") && plain === archive) throw new GzipError("not in gzip format");
    } catch (error) {
      if (!(error instanceof GzipError)) throw error;
      const fatal = "tar: Child returned status 1\ntar: Error is not recoverable: exiting now\n";
      yield* tool.self.write(2, tool.gnu ? `\ngzip: stdin: ${error.message}\n${fatal}` : "tar: invalid magic\ntar: short read\n");
      return tool.gnu ? 2 : 1;
    }
    yield* extract(tool, plain, action === "t");
    return 0;
  },
};
