// sysctl: kernel parameters by their names with dots.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

const root = "/proc/sys";

export const sysctl: CommandDefinition = {
  name: "sysctl",
  options: "a,all A X n,values N,names e,ignore q,quiet w,write p,load=? b,binary r,pattern= f",
  unsupported: "b r f",
  usage: "sysctl [-enq] { -a | -p [FILE]... | [-w] [KEY[=VALUE]]... }",
  *run(tool) {
    if (tool.has("a") || tool.has("A") || tool.has("X")) {
      for (const name of namesBelow(tool.self, "")) yield* show(tool, name);
      return 0;
    }
    if (tool.has("p")) return yield* load(tool);
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "no variables specified" : "");
    for (const operand of tool.operands) {
      const sign = operand.indexOf("=");
      if (sign < 0 && tool.has("w") && tool.gnu) yield* tool.warn(`"${operand}" must be of the form name=value`);
      else if (sign < 0) yield* show(tool, operand);
      else yield* assign(tool, operand.slice(0, sign).trim(), operand.slice(sign + 1).trim());
    }
    return 0;
  },
};

/** Names with slashes are paths; in those with dots a slash stands for a dot. */
function pathOf(name: string): string {
  const dot = name.indexOf(".");
  const slash = name.indexOf("/");
  if (slash >= 0 && (dot < 0 || slash < dot)) return `${root}/${name}`;
  return `${root}/${name.replace(/[./]/gu, (sign) => (sign === "." ? "/" : "."))}`;
}

function namesBelow(self: Process, prefix: string): readonly string[] {
  const directory = `${root}/${prefix.replaceAll(".", "/")}`;
  return [...self.readdir(directory)].sort().flatMap((name) => {
    const path = `${prefix}${name}`;
    return self.stat(`${root}/${path.replaceAll(".", "/")}`).type === "directory" ? namesBelow(self, `${path}.`) : [path];
  });
}

function* failed(tool: Tool, name: string, error: unknown, isWrite: boolean): Sys<void> {
  if (!(error instanceof SysError)) throw error;
  const { code, message } = error;
  if (code === "ENOENT" || code === "ENOTDIR") {
    if (tool.has("e")) return;
    const unknown = tool.gnu ? `cannot stat ${pathOf(name)}: No such file or directory` : `error: '${name}' is an unknown key`;
    yield* tool.warn(unknown);
  } else if (tool.gnu) {
    const denied =
      code === "EACCES" ? `permission denied on key "${name}"` : `${isWrite ? "setting" : "reading"} key "${name}": ${message}`;
    yield* tool.warn(denied);
  } else yield* tool.warn(`error ${isWrite ? "setting" : "reading"} key '${name}': ${message}`);
}

function* show(tool: Tool, name: string): Sys<void> {
  const dotted = name.includes(".") ? name : name.replaceAll("/", ".");
  let text: string;
  try {
    text = tool.self.readText(pathOf(name));
  } catch (error) {
    yield* failed(tool, name, error, false);
    return;
  }
  if (tool.has("N")) yield* tool.print(`${dotted}\n`);
  else yield* tool.print(tool.has("n") ? text : `${dotted} = ${text}`);
}

function* assign(tool: Tool, name: string, value: string): Sys<void> {
  try {
    tool.self.stat(pathOf(name));
    const fd = tool.self.open(pathOf(name), { write: true });
    try {
      yield* tool.self.write(fd, `${value}\n`);
    } finally {
      tool.self.close(fd);
    }
  } catch (error) {
    yield* failed(tool, name, error, true);
    return;
  }
  if (!tool.has("q")) yield* tool.print(tool.has("n") ? `${value}\n` : `${name} = ${value}\n`);
}

/** `name = value` lines; `-` before a name: no complaint when it fails. */
function* load(tool: Tool): Sys<number> {
  for (const file of [tool.value("p") || "/etc/sysctl.conf", ...tool.operands]) {
    let text: string;
    try {
      text = tool.self.readText(file);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new ToolFailure(tool.gnu ? `cannot open "${file}": ${error.message}` : `can't open '${file}': ${error.message}`);
    }
    for (const line of text.split("\n")) {
      const match = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/u.exec(line);
      if (match !== null) yield* assign(tool, match[1] as string, match[2] as string);
    }
  }
  return 0;
}
