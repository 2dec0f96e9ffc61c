// basename, dirname, readlink, realpath, pwd, which.

import { SysError } from "#sim/errors.ts";
import { baseName } from "./cp.ts";
import { type CommandDefinition, UsageFailure } from "./tool.ts";

export const basename: CommandDefinition = {
  name: "basename",
  options: "a,multiple s,suffix= z,zero",
  usage: "basename FILE [SUFFIX] | -a FILE... | -s SUFFIX FILE...",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    const multiple = tool.has("a") || tool.has("s");
    if (!multiple && tool.operands.length > 2) throw new UsageFailure(tool.gnu ? `extra operand '${tool.operands[2]}'` : "");
    const suffix = tool.value("s") ?? (multiple ? "" : (tool.operands[1] ?? ""));
    for (const path of multiple ? tool.operands : tool.operands.slice(0, 1)) {
      const name = baseName(path);
      yield* tool.print(`${suffix !== "" && name.endsWith(suffix) && name !== suffix ? name.slice(0, -suffix.length) : name}\n`);
    }
    return 0;
  },
};

export const dirname: CommandDefinition = {
  name: "dirname",
  options: "z,zero",
  usage: "dirname FILENAME",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    for (const path of tool.operands) {
      const trimmed = path.replace(/(.)\/+$/u, "$1");
      const at = trimmed.lastIndexOf("/");
      yield* tool.print(`${at < 0 ? "." : trimmed.slice(0, at).replace(/\/+$/u, "") || "/"}\n`);
    }
    return 0;
  },
};

export const readlink: CommandDefinition = {
  name: "readlink",
  options: "f,canonicalize e,canonicalize-existing m,canonicalize-missing n,no-newline q,quiet s v z",
  usage: "readlink [-fnv] FILE",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    let status = 0;
    for (const path of tool.operands) {
      try {
        const target = tool.has("f") || tool.has("e") || tool.has("m") ? tool.self.realpath(path) : tool.self.readlink(path);
        yield* tool.print(tool.has("n") ? target : `${target}\n`);
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        status = 1;
      }
    }
    return status;
  },
};

export const realpath: CommandDefinition = {
  name: "realpath",
  options: "e,canonicalize-existing m,canonicalize-missing s,no-symlinks q,quiet",
  usage: "realpath FILE...",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    yield* tool.eachOperand(tool.operands, (path) => tool.print(`${tool.self.realpath(path)}\n`));
    return 0;
  },
};

export const pwd: CommandDefinition = {
  name: "pwd",
  options: "L P",
  *run(tool) {
    yield* tool.print(`${tool.self.cwd}\n`);
    return 0;
  },
};

export const which: CommandDefinition = {
  name: "which",
  options: "a",
  usage: "which [-a] COMMAND...",
  *run(tool) {
    let status = 0;
    for (const name of tool.operands) {
      const directories = name.includes("/")
        ? [""]
        : (tool.self.env.get("PATH") ?? "/usr/bin:/bin").split(":").map((each) => `${each}/`);
      let found = false;
      for (const directory of directories) {
        try {
          const stat = tool.self.stat(directory + name);
          if (stat.type !== "file" || (stat.permissions & 0o111) === 0) continue;
          found = true;
          yield* tool.print(`${directory}${name}\n`);
          if (!tool.has("a")) break;
        } catch (error) {
          if (!(error instanceof SysError)) throw error;
        }
      }
      if (!found) status = 1;
    }
    return status;
  },
};
