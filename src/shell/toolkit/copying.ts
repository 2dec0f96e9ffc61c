// What cp and mv share: where each source goes, and copying it.

import { SysError } from "#sim/errors.ts";
import type { FileStat } from "#sim/files.ts";
import type { Sys } from "#sim/program.ts";
import { baseName } from "./base-name.ts";
import { type Tool, ToolFailure, UsageFailure } from "./tool.ts";

/** Undefined for what is not there. */
export function statOrNothing(tool: Tool, path: string): FileStat | undefined {
  try {
    return tool.self.stat(path);
  } catch (error) {
    if (error instanceof SysError) return undefined;
    throw error;
  }
}

/** Sources and the path that each goes to. */
export function copyTargets(tool: Tool): (readonly [string, string])[] {
  const directoryOption = tool.value("t");
  const operands = directoryOption === undefined ? tool.operands : [...tool.operands, directoryOption];
  if (operands.length === 0) throw new UsageFailure(tool.gnu ? "missing file operand" : "");
  if (operands.length === 1) throw new UsageFailure(tool.gnu ? `missing destination file operand after '${operands[0]}'` : "");
  const destination = operands.at(-1) as string;
  const sources = operands.slice(0, -1);
  const isDirectory = !tool.has("T") && statOrNothing(tool, destination)?.type === "directory";
  if (!isDirectory && sources.length > 1) {
    throw new ToolFailure(
      tool.gnu
        ? `target '${destination}': ${statOrNothing(tool, destination) === undefined ? "No such file or directory" : "Not a directory"}`
        : `can't create '${destination}': Path does not exist`,
    );
  }
  return sources.map(
    (source) => [source, isDirectory ? `${destination.replace(/\/+$/u, "")}/${baseName(source)}` : destination] as const,
  );
}

export interface CopyOptions {
  /** A directory with all in it; links as links. */
  readonly recursive: boolean;
  /** Permissions, owner and time of the source. */
  readonly preserve: boolean;
}

/** Copies a file, a link or a directory. Throws SysError. */
export function* copyEntry(tool: Tool, from: string, to: string, options: CopyOptions, depth = 0): Sys<void> {
  const { recursive, preserve } = options;
  const { self } = tool;
  const links = recursive && !tool.has("L");
  const stat = links ? self.lstat(from) : self.stat(from);
  if (stat.type === "directory") {
    if (!recursive) {
      yield* tool.warn(tool.gnu ? `-r not specified; omitting directory '${from}'` : `omitting directory '${from}'`);
      return;
    }
    if (depth > 64) throw new SysError("ELOOP");
    if (statOrNothing(tool, to) === undefined) self.mkdir(to, stat.permissions & 0o777);
    for (const name of self.readdir(from)) yield* copyEntry(tool, `${from}/${name}`, `${to}/${name}`, options, depth + 1);
  } else if (stat.type === "symlink") {
    if (statOrNothing(tool, to) !== undefined) self.unlink(to);
    self.symlink(self.readlink(from), to);
    return;
  } else {
    if (tool.has("n") && statOrNothing(tool, to) !== undefined) return;
    const target = statOrNothing(tool, to);
    if (target !== undefined && target.inode === stat.inode) throw new ToolFailure(`'${from}' and '${to}' are the same file`);
    yield* copyContent(tool, from, to, stat);
  }
  if (tool.has("v")) yield* tool.print(`'${from}' -> '${to}'\n`);
  if (preserve) {
    self.chmod(to, stat.permissions);
    if (self.uid === 0) self.chown(to, stat.uid, stat.gid);
    self.utimes(to, stat.modifiedMs);
  }
}

function* copyContent(tool: Tool, from: string, to: string, stat: FileStat): Sys<void> {
  const { self } = tool;
  const data = stat.type === "file" ? self.readFile(from) : yield* tool.readAll(from);
  try {
    self.writeFile(to, data, { permissions: stat.permissions & 0o777 });
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    if (tool.has("f") && error.code === "EACCES") {
      self.unlink(to);
      self.writeFile(to, data, { permissions: stat.permissions & 0o777 });
    } else
      throw new ToolFailure(
        tool.gnu ? `cannot create regular file '${to}': ${error.message}` : `can't create '${to}': ${error.message}`,
      );
  }
}
