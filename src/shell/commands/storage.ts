// stat, df, du, mount, sync, findmnt.

import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { groupName, userName } from "./identity.ts";
import { humanSize, modeText } from "./ls.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "./tool.ts";

const typeNames: { readonly [type: string]: string } = {
  file: "regular file",
  directory: "directory",
  symlink: "symbolic link",
  fifo: "fifo",
  socket: "socket",
  character: "character special file",
};

export const stat: CommandDefinition = {
  name: "stat",
  options: "c,format= f,file-system L,dereference t,terse printf=",
  usage: "stat [-ltf] [-c FMT] FILE...",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    const format = tool.value("c");
    yield* tool.eachOperand(
      tool.operands,
      function* (path) {
        const info = tool.has("L") ? tool.self.stat(path) : tool.self.lstat(path);
        const time = formatDate("%Y-%m-%d %H:%M:%S.%N %z", info.modifiedMs);
        const octal = info.permissions.toString(8).padStart(4, "0");
        const type = info.type === "file" && info.sizeBytes === 0 ? "regular empty file" : (typeNames[info.type] ?? info.type);
        const blocks = Math.ceil(info.sizeBytes / 4096) * 8;
        const target = info.type === "symlink" ? tool.self.readlink(path) : undefined;
        if (format !== undefined) {
          const values: { readonly [letter: string]: string } = {
            n: path,
            N: target === undefined ? `'${path}'` : `'${path}' -> '${target}'`,
            s: String(info.sizeBytes),
            a: info.permissions.toString(8),
            A: modeText(info),
            u: String(info.uid),
            U: userName(tool.self, info.uid),
            g: String(info.gid),
            G: groupName(tool.self, info.gid),
            F: type,
            i: String(info.inode),
            h: String(info.links),
            y: time,
            Y: String(Math.floor(info.modifiedMs / 1000)),
            z: time,
            Z: String(Math.floor(info.modifiedMs / 1000)),
            x: time,
            X: String(Math.floor(info.modifiedMs / 1000)),
            b: String(blocks),
            B: "512",
            "%": "%",
          };
          yield* tool.print(`${format.replace(/%(.)/gu, (all, letter: string) => values[letter] ?? all)}\n`);
          return;
        }
        yield* tool.print(
          `  File: ${path}${target === undefined ? "" : ` -> ${target}`}\n  Size: ${String(info.sizeBytes).padEnd(10)}\tBlocks: ${String(blocks).padEnd(10)} IO Block: 4096   ${type}\n`,
        );
        yield* tool.print(`Device: 8,1\tInode: ${String(info.inode).padEnd(11)} Links: ${info.links}\n`);
        yield* tool.print(
          `Access: (${octal}/${modeText(info)})  Uid: (${String(info.uid).padStart(5)}/${userName(tool.self, info.uid).padStart(8)})   Gid: (${String(info.gid).padStart(5)}/${groupName(tool.self, info.gid).padStart(8)})\n`,
        );
        yield* tool.print(`Access: ${time}\nModify: ${time}\nChange: ${time}\n${tool.gnu ? " Birth: -\n" : ""}`);
      },
      (path, error) => (tool.gnu ? `cannot statx '${path}': ${error.message}` : `can't stat '${path}': ${error.message}`),
    );
    return 0;
  },
};

/** What a tree holds, in bytes of whole 4 KiB blocks. */
function* usage(
  self: Parameters<CommandDefinition["run"]>[0]["self"],
  path: string,
  depth: number,
  each: (path: string, bytes: number, depth: number, directory: boolean) => Sys<void>,
): Sys<number> {
  const info = self.lstat(path);
  if (info.type !== "directory") {
    const bytes = info.type === "file" ? Math.ceil(info.sizeBytes / 4096) * 4096 : 0;
    yield* each(path, bytes, depth, false);
    return bytes;
  }
  let total = 4096;
  if (depth < 128)
    for (const name of self.readdir(path))
      total += yield* usage(self, path.endsWith("/") ? path + name : `${path}/${name}`, depth + 1, each);
  yield* each(path, total, depth, true);
  return total;
}

export const du: CommandDefinition = {
  name: "du",
  options: "s,summarize h,human-readable a,all c,total k m d,max-depth= b,bytes x apparent-size",
  usage: "du [-aHLdclsxhmk] [FILE]...",
  *run(tool) {
    const shown = (bytes: number) =>
      tool.has("h")
        ? bytes === 0
          ? "0"
          : humanSize(bytes)
        : tool.has("b")
          ? String(bytes)
          : String(Math.ceil(bytes / (tool.has("m") ? 1_048_576 : 1024)));
    const limit = tool.has("s") ? 0 : tool.has("d") ? Number(tool.value("d")) : Number.POSITIVE_INFINITY;
    let total = 0;
    yield* tool.eachOperand(
      tool.operands.length === 0 ? ["."] : tool.operands,
      function* (path) {
        total += yield* usage(tool.self, path, 0, function* (each, bytes, depth, directory) {
          if (depth <= limit && (directory || depth === 0 || tool.has("a"))) yield* tool.print(`${shown(bytes)}\t${each}\n`);
        });
      },
      (path, error) => (tool.gnu ? `cannot access '${path}': ${error.message}` : `${path}: ${error.message}`),
    );
    if (tool.has("c")) yield* tool.print(`${shown(total)}\ttotal\n`);
    return 0;
  },
};

const optionSize = /(?:^|,)size=(\d+)([kmg]?)/iu;

export const df: CommandDefinition = {
  name: "df",
  options: "h,human-readable k m T,print-type i,inodes a,all t= x= P H total",
  usage: "df [-PkmhT] [FILESYSTEM]...",
  *run(tool) {
    const { self } = tool;
    const mounts = self.mounts();
    const owning = (path: string) => {
      const real = self.realpath(path);
      return mounts.filter((mount) => real === mount.path || mount.path === "/" || real.startsWith(`${mount.path}/`)).at(-1);
    };
    const wanted: (typeof mounts)[number][] = [];
    if (tool.operands.length === 0) wanted.push(...mounts.filter((mount) => mount.type !== "proc"));
    yield* tool.eachOperand(tool.operands, function* (path) {
      const mount = owning(path);
      if (mount !== undefined) wanted.push(mount);
    });
    if (wanted.length === 0) return 1;
    const unit = tool.has("m") ? 1_048_576 : 1024;
    const rows = wanted.map((mount) => {
      const limit = optionSize.exec(mount.options);
      const factor = { "": 1, k: 1024, m: 1_048_576, g: 1_073_741_824 }[(limit?.[2] ?? "").toLowerCase() as "k"] as number;
      const size = limit === null ? 42_949_672_960 : Number(limit[1]) * factor;
      const used = Math.min(
        size,
        usedBytes(
          self,
          mount.path,
          mounts.map((each) => each.path),
        ),
      );
      const shown = (bytes: number) => (tool.has("h") ? (bytes === 0 ? "0" : humanSize(bytes)) : String(Math.ceil(bytes / unit)));
      return [
        mount.source,
        ...(tool.has("T") ? [mount.type] : []),
        shown(size),
        shown(used),
        shown(size - used),
        `${Math.ceil((used / size) * 100)}%`,
        mount.path,
      ];
    });
    const sizeTitle = tool.has("h") ? "Size" : tool.has("m") ? "1M-blocks" : "1K-blocks";
    const titles = [
      "Filesystem",
      ...(tool.has("T") ? ["Type"] : []),
      sizeTitle,
      "Used",
      tool.has("h") && tool.gnu ? "Avail" : "Available",
      "Use%",
      "Mounted on",
    ];
    const all = [titles, ...rows];
    const widths = titles.map((_title, index) =>
      Math.max(...all.map((row) => (row[index] as string).length), index === 0 ? (tool.gnu ? 14 : 20) : 5),
    );
    for (const row of all) {
      const left = tool.has("T") ? 2 : 1;
      const cells = row.map((cell, index) =>
        index < left
          ? cell.padEnd(widths[index] as number)
          : index === row.length - 1
            ? cell
            : cell.padStart(index === row.length - 2 ? 4 : (widths[index] as number)),
      );
      yield* tool.print(`${cells.join(" ")}\n`);
    }
    return 0;
  },
};

function usedBytes(
  self: Parameters<CommandDefinition["run"]>[0]["self"],
  path: string,
  mountPaths: readonly string[],
  depth = 0,
): number {
  try {
    const info = self.lstat(path);
    if (info.type !== "directory") return info.type === "file" ? Math.ceil(info.sizeBytes / 4096) * 4096 : 0;
    if (depth > 32) return 0;
    let total = 4096;
    for (const name of self.readdir(path)) {
      const child = path === "/" ? `/${name}` : `${path}/${name}`;
      if (!mountPaths.includes(child)) total += usedBytes(self, child, mountPaths, depth + 1);
    }
    return total;
  } catch (error) {
    if (error instanceof SysError) return 0;
    throw error;
  }
}

export const mount: CommandDefinition = {
  name: "mount",
  options: "t= o= a r w v n l",
  usage: "mount [OPTIONS] [-o OPT] DEVICE NODE",
  *run(tool) {
    if (tool.operands.length > 0)
      throw new ToolFailure(
        tool.gnu ? `${tool.operands.at(-1)}: must be superuser to use mount.` : "permission denied (are you root?)",
        tool.gnu ? 32 : 1,
      );
    const type = tool.value("t");
    for (const each of tool.self.mounts()) {
      if (type === undefined || type === each.type)
        yield* tool.print(`${each.source} on ${each.path} type ${each.type} (${each.options})\n`);
    }
    return 0;
  },
};

export const sync: CommandDefinition = {
  name: "sync",
  options: "",
  *run() {
    return 0;
  },
};
