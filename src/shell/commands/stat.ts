import type { Sys } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { groupName, userName } from "../toolkit/accounts.ts";
import { modeText } from "../toolkit/file-modes.ts";
import { mountOf } from "../toolkit/mount-of.ts";
import { type CommandDefinition, type Tool, UsageFailure } from "../toolkit/tool.ts";

const typeNames: { readonly [type: string]: string } = {
  file: "regular file",
  directory: "directory",
  symlink: "symbolic link",
  fifo: "fifo",
  socket: "socket",
  character: "character special file",
};

/** By types of mounts: magic number and name, and whether busybox knows the name. */
const fileSystemTypes: { readonly [type: string]: readonly [magic: string, name: string, isOld: boolean] } = {
  cgroup: ["27e0eb", "cgroupfs", false],
  cgroup2: ["63677270", "cgroup2fs", false],
  devtmpfs: ["1021994", "tmpfs", true],
  ext4: ["ef53", "ext2/ext3", true],
  overlay: ["794c7630", "overlayfs", false],
  proc: ["9fa0", "proc", true],
  tmpfs: ["1021994", "tmpfs", true],
};
const blockBytes = 4096;
const longestName = 255;

/** `stat -f` */
function* fileSystems(tool: Tool, format: string | undefined): Sys<number> {
  yield* tool.eachOperand(
    tool.operands,
    function* (path) {
      const mount = mountOf(tool.self, path);
      const [magic, known, isOld] = fileSystemTypes[mount?.type ?? ""] ?? ["0", "UNKNOWN (0x0)", true];
      const type = tool.gnu || isOld ? known : "UNKNOWN";
      const blocks = Math.floor((mount?.sizeBytes ?? 0) / blockBytes);
      const free = mount?.sizeBytes === undefined ? 0 : Math.floor(mount.availableBytes / blockBytes);
      const [inodes, freeInodes] = mount?.inodes === undefined ? [0, 0] : [mount.inodes, mount.freeInodes];
      const values: { readonly [letter: string]: string } = {
        ...{ n: path, T: type, t: magic, i: "0", l: String(longestName), s: String(blockBytes), S: String(blockBytes) },
        ...{ b: String(blocks), f: String(free), a: String(free), c: String(inodes), d: String(freeInodes), "%": "%" },
      };
      if (format !== undefined) {
        yield* tool.print(`${format.replace(/%(.)/gu, (all, letter: string) => values[letter] ?? all)}\n`);
        return;
      }
      const width = 10;
      yield* tool.print(
        `  File: "${path}"\n    ID: ${"0".padEnd(8)} Namelen: ${String(longestName).padEnd(7)} Type: ${type}\n` +
          `Block size: ${String(blockBytes).padEnd(width)} Fundamental block size: ${blockBytes}\n` +
          `Blocks: Total: ${String(blocks).padEnd(width)} Free: ${String(free).padEnd(width)} Available: ${free}\n` +
          `Inodes: Total: ${String(inodes).padEnd(width)} Free: ${freeInodes}\n`,
      );
    },
    (path, error) =>
      tool.gnu
        ? `cannot read file system information for '${path}': ${error.message}`
        : `can't read file system information for '${path}': ${error.message}`,
  );
  return 0;
}

export const stat: CommandDefinition = {
  name: "stat",
  options: "c,format= f,file-system L,dereference t,terse printf=",
  usage: "stat [-ltf] [-c FMT] FILE...",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    const format = tool.value("c");
    if (tool.has("f")) return yield* fileSystems(tool, format);
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
