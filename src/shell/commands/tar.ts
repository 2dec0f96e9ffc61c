// tar: ustar archives of files and directories, uncompressed.

import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { Sys } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { groupName, userName } from "./identity.ts";
import { modeText } from "./ls.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "./tool.ts";

const block = 512;

function header(tool: Tool, name: string, path: string): Bytes {
  const info = tool.self.lstat(path);
  const bytes = new Uint8Array(block);
  const put = (offset: number, text: string) => bytes.set(encodeUtf8(text), offset);
  const octal = (value: number, width: number) => value.toString(8).padStart(width - 1, "0");
  const full = info.type === "directory" ? `${name}/` : name;
  if (encodeUtf8(full).length > 255) throw new ToolFailure(`${full}: file name is too long`, 2);
  const cut = full.length > 100 ? full.indexOf("/", full.length - 101) : -1;
  put(0, cut > 0 ? full.slice(cut + 1) : full);
  if (cut > 0) put(345, full.slice(0, cut));
  put(100, octal(info.permissions, 8));
  put(108, octal(info.uid, 8));
  put(116, octal(info.gid, 8));
  put(124, octal(info.type === "file" ? info.sizeBytes : 0, 12));
  put(136, octal(Math.floor(info.modifiedMs / 1000), 12));
  put(148, "        ");
  put(156, info.type === "directory" ? "5" : info.type === "symlink" ? "2" : "0");
  if (info.type === "symlink") put(157, tool.self.readlink(path));
  put(257, "ustar\u000000");
  put(265, userName(tool.self, info.uid));
  put(297, groupName(tool.self, info.gid));
  put(
    148,
    `${octal(
      bytes.reduce((sum, each) => sum + each, 0),
      7,
    )}\0 `,
  );
  return bytes;
}

function* append(tool: Tool, name: string, parts: Bytes[], depth = 0): Sys<void> {
  const info = tool.self.lstat(name);
  if (tool.has("v"))
    yield* tool.self.write(tool.value("f") === "-" || !tool.has("f") ? 2 : 1, `${name}${info.type === "directory" ? "/" : ""}\n`);
  parts.push(header(tool, name.replace(/^\/+/u, ""), name));
  if (info.type === "file") {
    const data = tool.self.readFile(name);
    parts.push(data, new Uint8Array((block - (data.length % block)) % block));
  } else if (info.type === "directory" && depth < 64) {
    for (const child of tool.self.readdir(name))
      yield* append(tool, name.endsWith("/") ? name + child : `${name}/${child}`, parts, depth + 1);
  }
}

function* extract(tool: Tool, archive: Bytes, listOnly: boolean): Sys<void> {
  const text = (from: number, length: number) => decodeUtf8(archive.subarray(from, from + length)).replace(/\0[\s\S]*$/u, "");
  for (let at = 0; at + block <= archive.length; ) {
    const prefix = text(at + 345, 155);
    const name = (prefix === "" ? "" : `${prefix}/`) + text(at, 100);
    if (name === "") return;
    if (text(at + 257, 5) !== "ustar")
      throw new ToolFailure("This does not look like a tar archive\ntar: Exiting with failure status due to previous errors", 2);
    const size = Number.parseInt(text(at + 124, 12), 8) || 0;
    const mode = Number.parseInt(text(at + 100, 8), 8);
    const modified = Number.parseInt(text(at + 136, 12), 8) * 1000;
    const type = text(at + 156, 1);
    const data = archive.subarray(at + block, at + block + size);
    at += block + Math.ceil(size / block) * block;
    const wanted =
      tool.operands.length === 0 || tool.operands.some((each) => name === each || name.startsWith(`${each.replace(/\/$/u, "")}/`));
    if (!wanted) continue;
    if (listOnly && tool.has("v")) {
      const stat = { type: type === "5" ? "directory" : type === "2" ? "symlink" : "file", permissions: mode } as const;
      const shown = modeText({ ...stat, inode: 0, uid: 0, gid: 0, links: 1, sizeBytes: size, modifiedMs: modified });
      yield* tool.print(`${shown} root/root ${String(size).padStart(9)} ${formatDate("%Y-%m-%d %H:%M", modified)} ${name}\n`);
    } else if (listOnly || tool.has("v")) yield* tool.print(`${name}\n`);
    if (listOnly) continue;
    const path = name.replace(/\/$/u, "").replace(/^\/+/u, "");
    const parts = path.split("/");
    if (parts.includes("..")) throw new ToolFailure(`${name}: Member name contains '..'`, 2);
    for (let i = 1; i < parts.length; i += 1) makeDirectory(tool, parts.slice(0, i).join("/"));
    if (type === "5") makeDirectory(tool, path);
    else if (type === "2") tool.self.symlink(archiveLink(archive, at, size), path);
    else tool.self.writeFile(path, data, { permissions: mode });
    if (type !== "2") tool.self.chmod(path, mode & 0o7777);
  }
}

function archiveLink(archive: Bytes, next: number, size: number): string {
  const from = next - Math.ceil(size / block) * block - block + 157;
  return decodeUtf8(archive.subarray(from, from + 100)).replace(/\0[\s\S]*$/u, "");
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
      const long = /^--(create|extract|list|verbose|gzip|file|directory)(?:=(.*))?$/u.exec(word);
      const letters =
        long === null
          ? /^-./u.test(word) && !word.startsWith("--")
            ? word.slice(1)
            : undefined
          : { create: "c", extract: "x", list: "t", verbose: "v", gzip: "z", file: "f", directory: "C" }[long[1] as "create"];
      if (letters === undefined) {
        if (word.startsWith("--")) throw new UsageFailure(`unrecognized option '${word}'`, 64);
        names.push(word);
        continue;
      }
      for (const letter of letters) {
        if (!"cxtvzfCmpOoh".includes(letter)) throw new UsageFailure(`invalid option -- '${letter}'`, 64);
        given.push([letter, letter === "f" || letter === "C" ? (long?.[2] ?? words[++i] ?? "") : ""]);
      }
    }
    tool.given = given;
    tool.operands = names;
    if (tool.has("z")) throw new ToolFailure("gzip: compressed archives are not supported by this tar", 2);
    const action = ["c", "x", "t"].find((letter) => tool.has(letter));
    if (action === undefined)
      throw new UsageFailure("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options", 2);
    const file = tool.value("f") ?? "-";
    const directory = tool.value("C");
    if (action === "c") {
      if (names.length === 0) throw new UsageFailure("Cowardly refusing to create an empty archive", 2);
      const target = file === "-" ? undefined : tool.self.open(file, { write: true, create: true, truncate: true }, 0o666);
      if (directory !== undefined) tool.self.chdir(directory);
      const parts: Bytes[] = [];
      yield* tool.eachOperand(
        names,
        (name) => append(tool, name.length > 1 ? name.replace(/\/+$/u, "") : name, parts),
        (path, error) => `${path}: Cannot stat: ${error.message}`,
      );
      parts.push(new Uint8Array(block * 2));
      const archive = concatBytes(parts);
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
    if (directory !== undefined) tool.self.chdir(directory);
    yield* extract(tool, archive, action === "t");
    return 0;
  },
};
