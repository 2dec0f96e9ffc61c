// mkdir, touch, ln, mkfifo, mktemp, truncate, fallocate.

import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { parseDate } from "../text/date-text.ts";
import { baseName } from "./cp.ts";
import { applyMode } from "./mode.ts";
import { type CommandDefinition, readCount, ToolFailure, UsageFailure } from "./tool.ts";

function makeParents(self: Process, path: string): void {
  const parts = path.split("/");
  for (let i = 1; i <= parts.length; i += 1) {
    const prefix = parts.slice(0, i).join("/");
    if (prefix === "") continue;
    try {
      self.mkdir(prefix);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      if (self.stat(prefix).type !== "directory") throw new SysError(i === parts.length ? "EEXIST" : "ENOTDIR");
    }
  }
}

export const mkdir: CommandDefinition = {
  name: "mkdir",
  options: "p,parents m,mode= v,verbose",
  usage: "mkdir [-m MODE] [-p] DIRECTORY...\n\nCreate DIRECTORY",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    const mode = tool.value("m");
    yield* tool.eachOperand(
      tool.operands,
      function* (path) {
        if (tool.has("p")) makeParents(tool.self, path.replace(/\/+$/u, "") || "/");
        else tool.self.mkdir(path.replace(/\/+$/u, "") || "/");
        if (mode !== undefined) tool.self.chmod(path, applyMode(mode, 0o777, true, 0));
        if (tool.has("v")) yield* tool.print(tool.gnu ? `mkdir: created directory '${path}'\n` : `created directory: '${path}'\n`);
      },
      (path, error) =>
        tool.gnu ? `cannot create directory ‘${path}’: ${error.message}` : `can't create directory '${path}': ${error.message}`,
    );
    return 0;
  },
};

export const mkfifo: CommandDefinition = {
  name: "mkfifo",
  options: "m,mode= Z context=",
  unsupported: "Z context",
  usage: "mkfifo [-m MODE] NAME\n\nCreate named pipe\n\n\t-m MODE\tMode (default a=rw)",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    const mode = tool.value("m");
    yield* tool.eachOperand(
      tool.operands,
      function* (path) {
        tool.self.mkfifo(path);
        if (mode !== undefined) tool.self.chmod(path, applyMode(mode, 0o666, false, 0));
      },
      (path, error) => (tool.gnu ? `cannot create fifo '${path}': ${error.message}` : `${path}: ${error.message}`),
    );
    return 0;
  },
};

export const touch: CommandDefinition = {
  name: "touch",
  options: "a m c,no-create d,date= t= r,reference= h",
  usage: "touch [-cham] [-d DATE] [-t DATE] [-r FILE] FILE...",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing file operand" : "");
    let time = tool.self.nowMs;
    const date = tool.value("d");
    const reference = tool.value("r");
    if (date !== undefined) {
      const parsed = parseDate(date, tool.self.nowMs);
      if (parsed === undefined) throw new ToolFailure(tool.gnu ? `invalid date format '${date}'` : `invalid date '${date}'`);
      time = parsed;
    } else if (reference !== undefined) time = tool.self.stat(reference).modifiedMs;
    yield* tool.eachOperand(
      tool.operands,
      function* (path) {
        try {
          tool.self.utimes(path, time);
        } catch (error) {
          if (!(error instanceof SysError && error.code === "ENOENT")) throw error;
          if (tool.has("c")) return;
          tool.self.close(tool.self.open(path, { write: true, create: true }, 0o666));
          if (date !== undefined || reference !== undefined) tool.self.utimes(path, time);
        }
      },
      (path, error) => (tool.gnu ? `cannot touch '${path}': ${error.message}` : `${path}: ${error.message}`),
    );
    return 0;
  },
};

export const ln: CommandDefinition = {
  name: "ln",
  unsupported: "r",
  options: "s,symbolic f,force n,no-dereference v,verbose T,no-target-directory r,relative t,target-directory=",
  usage: "ln [-sfnbtv] [-S SUF] TARGET... LINK|DIR",
  *run(tool) {
    const { self } = tool;
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing file operand" : "");
    const destination = tool.operands.length === 1 ? "." : (tool.operands.at(-1) as string);
    const targets = tool.operands.length === 1 ? tool.operands : tool.operands.slice(0, -1);
    for (const target of targets) {
      let path = destination;
      try {
        const stat = tool.has("n") ? self.lstat(destination) : self.stat(destination);
        if (stat.type === "directory" && !tool.has("T")) path = `${destination.replace(/\/+$/u, "")}/${baseName(target)}`;
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
      }
      try {
        if (tool.has("f")) {
          try {
            self.unlink(path);
          } catch (error) {
            if (!(error instanceof SysError && error.code === "ENOENT")) throw error;
          }
        }
        if (tool.has("s")) self.symlink(target, path);
        else self.link(target, path);
        if (tool.has("v")) yield* tool.print(`'${path}' ${tool.has("s") ? "->" : "=>"} '${target}'\n`);
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        const kind = tool.has("s") ? "symbolic" : "hard";
        yield* tool.warn(
          tool.gnu
            ? `failed to create ${kind} link '${path}'${kind === "hard" ? ` => '${target}'` : ""}: ${error.message}`
            : `${path}: ${error.message}`,
        );
      }
    }
    return 0;
  },
};

export const mktemp: CommandDefinition = {
  name: "mktemp",
  options: "d,directory q,quiet u,dry-run p,tmpdir=? t",
  usage: "mktemp [-dt] [-p DIR] [TEMPLATE]",
  *run(tool) {
    const { self } = tool;
    const template = tool.operands[0] ?? "tmp.XXXXXXXXXX";
    if (!/XXX+$/u.test(template)) throw new ToolFailure(tool.gnu ? `too few X's in template '${template}'` : `Invalid argument`);
    const base = tool.has("p")
      ? tool.value("p") || "/tmp"
      : tool.operands.length === 0 || tool.has("t")
        ? (self.env.get("TMPDIR") ?? "/tmp")
        : undefined;
    const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const name = template.replace(/X+$/u, (run) =>
      Array.from(run, () => letters[Math.floor(self.random.fraction() * letters.length)]).join(""),
    );
    const path = base === undefined ? name : `${base}/${name}`;
    if (tool.has("d")) self.mkdir(path, 0o700);
    else if (!tool.has("u")) self.writeFile(path, "", { permissions: 0o600 });
    yield* tool.print(`${path}\n`);
    return 0;
  },
};

export const truncate: CommandDefinition = {
  name: "truncate",
  options: "s,size= c,no-create",
  usage: "truncate [-c] -s SIZE FILE...",
  *run(tool) {
    const size = tool.value("s");
    if (size === undefined) throw new UsageFailure("you must specify either '--size' or '--reference'");
    yield* tool.eachOperand(tool.operands, function* (path) {
      if (!tool.has("c")) tool.self.close(tool.self.open(path, { write: true, create: true }, 0o666));
      tool.self.truncate(path, readCount(size, "number"));
    });
    return 0;
  },
};

/** util-linux's and busybox's: takes room for a file without writing to it; what it has stays. */
export const fallocate: CommandDefinition = {
  name: "fallocate",
  options: "l,length= o,offset=",
  usage: "fallocate [-o OFS] -l LEN FILE",
  *run(tool) {
    const { self, operands } = tool;
    const [path] = operands;
    const length = tool.value("l");
    if (length === undefined) throw tool.gnu ? new ToolFailure("no length argument specified") : new UsageFailure("");
    if (path === undefined) throw tool.gnu ? new ToolFailure("no filename specified") : new UsageFailure("");
    if (operands.length > 1) throw new UsageFailure(tool.gnu ? "unexpected number of arguments" : "");
    const size = readCount(length.replace(/iB$/u, ""), "length");
    if (size <= 0) throw new ToolFailure(tool.gnu ? "invalid length value specified" : `invalid number '${length}'`);
    const end = size + readCount((tool.value("o") ?? "0").replace(/iB$/u, ""), "offset");
    self.close(self.open(path, { write: true, create: true }, 0o666));
    try {
      if (self.stat(path).sizeBytes < end) self.truncate(path, end);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new ToolFailure(tool.gnu ? `fallocate failed: ${error.message}` : `fallocate '${path}': ${error.message}`);
    }
    return 0;
  },
};
