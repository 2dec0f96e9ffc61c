// stat, df, du, mount, sync, findmnt.

import type { Sys } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { groupName, userName } from "./identity.ts";
import { humanSize, modeText } from "./ls.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "./tool.ts";

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

type Mounts = ReturnType<Tool["self"]["mounts"]>;

/** Those with a size, as df lists them without operands; of several mounts of one device the first. */
function sizedMounts(mounts: Mounts): Mounts {
  const seen = new Set<string>();
  return mounts.filter(({ source, type, path, sizeBytes }) => {
    if (sizeBytes === undefined || (type !== "tmpfs" && seen.has(source))) return false;
    seen.add(source);
    return mounts.findLast((each) => each.path === path)?.source === source;
  });
}

export const df: CommandDefinition = {
  name: "df",
  options: "h,human-readable k m T,print-type i,inodes a,all t= x= P H total",
  usage: "df [-PkmhTi] [FILESYSTEM]...",
  *run(tool) {
    const { self } = tool;
    const mounts = self.mounts();
    const owning = (path: string) => {
      const real = self.realpath(path);
      const covering = mounts.filter((mount) => real === mount.path || mount.path === "/" || real.startsWith(`${mount.path}/`));
      return covering.toSorted((a, b) => a.path.length - b.path.length).at(-1);
    };
    const wanted: Mounts[number][] = [];
    if (tool.operands.length === 0) wanted.push(...sizedMounts(mounts));
    yield* tool.eachOperand(tool.operands, function* (path) {
      const mount = owning(path);
      if (mount !== undefined) wanted.push(mount);
    });
    if (wanted.length === 0) return 1;
    const isInodes = tool.has("i");
    const unit = tool.has("m") ? 1_048_576 : 1024;
    const shown = (amount: number) => {
      if (tool.has("h")) return amount === 0 ? "0" : humanSize(amount);
      return String(isInodes ? amount : Math.ceil(amount / unit));
    };
    const rows = wanted.map(({ source, type, path, sizeBytes, availableBytes, inodes, freeInodes }) => {
      const [size, free] = isInodes ? [inodes ?? 0, inodes === undefined ? 0 : freeInodes] : [sizeBytes ?? 0, availableBytes];
      const available = sizeBytes === undefined ? 0 : free;
      const used = size - available;
      const percent = size === 0 ? "-" : `${Math.ceil((used / size) * 100)}%`;
      return [source, ...(tool.has("T") ? [type] : []), shown(size), shown(used), shown(available), percent, path];
    });
    const sizeTitle = tool.has("h") ? "Size" : tool.has("m") ? "1M-blocks" : "1K-blocks";
    const availableTitle = tool.has("h") && tool.gnu ? "Avail" : "Available";
    const figures = isInodes ? ["Inodes", "IUsed", "IFree", "IUse%"] : [sizeTitle, "Used", availableTitle, "Use%"];
    const titles = ["Filesystem", ...(tool.has("T") ? ["Type"] : []), ...figures, "Mounted on"];
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
