// gzip, gunzip and zcat are one command with other options.

import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { GzipError, gunzipBytes, gzipBytes } from "./gzip-format.ts";
import { type CommandDefinition, type Tool, UsageFailure } from "./tool.ts";

const options =
  "c,stdout,to-stdout d,decompress,uncompress f,force k,keep l,list n,no-name N,name q,quiet r,recursive S=,suffix= t,test v,verbose 1,fast 2 3 4 5 6 7 8 9,best";

/** The command by one of its names; `first`: the options that the name stands for. */
export function gzipCommand(name: string, first: readonly string[]): CommandDefinition {
  return {
    name,
    options,
    unsupported: "l r S N",
    usage: `${name} [-cfkdt] [FILE]...`,
    *run(tool) {
      for (const { 0: option } of tool.given)
        if (!tool.gnu && "nqv".includes(option) && option !== "v") throw new UsageFailure(`invalid option -- '${option}'`);
      tool.given = [...tool.given, ...first.map((option) => [option, ""] as const)];
      const files = tool.operands.length === 0 ? ["-"] : tool.operands;
      let status = 0;
      for (const file of files) status = Math.max(status, yield* one(tool, file));
      return status;
    },
  };
}

function* complain(tool: Tool, text: string, status: number): Sys<number> {
  yield* tool.flush();
  if (!(tool.has("q") && status === 2)) yield* tool.self.write(2, `${tool.gnu ? "gzip" : tool.name}: ${text}\n`);
  return tool.has("q") && status === 2 ? 0 : status;
}

/** 0, 1 for an error, 2 for what was left as it is. */
function* one(tool: Tool, file: string): Sys<number> {
  const { self, gnu } = tool;
  const unpacks = tool.has("d") || tool.has("t");
  const toOutput = tool.has("c") || tool.has("t") || file === "-";
  try {
    if (file !== "-") {
      if (self.stat(file).type === "directory")
        return yield* complain(tool, gnu ? `${file} is a directory -- ignored` : `${file}: Is a directory`, gnu ? 2 : 1);
      const isPacked = /\.(?:gz|tgz)$/u.test(file);
      if (!unpacks && isPacked && gnu) return yield* complain(tool, `${file} already has .gz suffix -- unchanged`, 2);
      if (unpacks && !isPacked && !tool.has("c") && !tool.has("t"))
        return yield* complain(tool, `${file}: unknown suffix -${gnu ? "-" : ""} ignored`, gnu ? 2 : 1);
    } else if (!unpacks && self.isTty(1) && !tool.has("f"))
      return yield* complain(
        tool,
        "compressed data not written to a terminal. Use -f to force compression.\nFor help, type: gzip -h",
        1,
      );
    const target = unpacks ? file.replace(/\.tgz$/u, ".tar").replace(/\.gz$/u, "") : `${file}.gz`;
    if (!toOutput && !tool.has("f") && self.exists(target))
      return yield* complain(
        tool,
        gnu ? `${target} already exists;\tnot overwritten` : `can't open '${target}': File exists`,
        gnu ? 2 : 1,
      );
    const content = yield* tool.readAll(file);
    const stat = file === "-" ? undefined : self.stat(file);
    const seconds = stat === undefined || tool.has("n") ? 0 : Math.floor(stat.modifiedMs / 1000);
    const name = stat === undefined || tool.has("n") || !gnu ? "" : file.slice(file.lastIndexOf("/") + 1);
    const level = Number(tool.lastOf("1", "2", "3", "4", "5", "6", "7", "8", "9") ?? "6");
    const made = unpacks ? gunzipBytes(self, content) : gzipBytes(self, content, name, seconds, level);
    yield* self.breathe();
    if (tool.has("t")) return 0;
    if (toOutput) {
      yield* tool.print(made);
      return 0;
    }
    self.writeFile(target, made, { permissions: stat?.permissions ?? 0o644 });
    self.utimes(target, stat?.modifiedMs ?? self.nowMs);
    if (!tool.has("k")) self.unlink(file);
    if (tool.has("v")) yield* self.write(2, verbose(tool, file, target, content.length, made.length));
    return 0;
  } catch (error) {
    const shown = file === "-" ? "stdin" : file;
    if (error instanceof GzipError) {
      if (toOutput && !tool.has("t")) {
        yield* tool.print(error.before);
        yield* tool.flush();
      }
      if (!gnu) return yield* complain(tool, busyboxWords(error.message), 1);
      yield* self.write(2, `\ngzip: ${shown}: ${error.message}\n`);
      return 1;
    }
    if (!(error instanceof SysError) || error.code === "EPIPE") throw error;
    return yield* complain(tool, `${shown}: ${error.message}`, 1);
  }
}

function busyboxWords(message: string): string {
  if (message === "not in gzip format") return "invalid magic";
  return message === "unexpected end of file" ? message : "corrupted data";
}

function verbose({ gnu }: Tool, file: string, target: string, before: number, after: number): string {
  const [whole, small] = before > after ? [before, after] : [after, before];
  const share = whole === 0 ? 0 : (1 - small / whole) * 100;
  if (!gnu) return `${file}: ${Math.round((after * 100) / Math.max(1, before))}% - replaced with ${target}\n`;
  return `${file}:\t${`${(before >= after || target.length < file.length ? share : -share).toFixed(1)}%`.padStart(6)} -- replaced with ${target}\n`;
}
