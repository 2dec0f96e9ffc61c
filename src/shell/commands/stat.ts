import { formatDate } from "../text/date-text.ts";
import { groupName, userName } from "../toolkit/accounts.ts";
import { modeText } from "../toolkit/file-modes.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

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
