// grep, with its forms egrep, fgrep and zgrep.

import { decodeUtf8 } from "#sim/bytes.ts";
import { SysError, wordsOf } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { BoundedRegExp } from "../text/bounded-regex.ts";
import { matchesPattern } from "../text/pattern.ts";
import { regexSource } from "../text/regex.ts";
import { baseName } from "../toolkit/base-name.ts";
import { GzipError, unpacked } from "../toolkit/gzip-format.ts";
import { eachLine, linesOf } from "../toolkit/lines.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const grep = grepCommand("grep");

/** Looks into files that are packed, and into the others as they are. */
export const zgrep = grepCommand("zgrep");

function grepCommand(name: string): CommandDefinition {
  return {
    name,
    options:
      "E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp i,y,ignore-case v,invert-match n,line-number c,count o,only-matching q,quiet,silent r,recursive R,dereference-recursive l,files-with-matches L,files-without-match w,word-regexp x,line-regexp A,after-context= B,before-context= C,context= e,regexp= f,file= h,no-filename H,with-filename s,no-messages m,max-count= a,text I color=? colour=? include= exclude= exclude-dir= line-buffered b Z z",
    usage:
      "grep [-HhnlLoqvsrRiwFE] [-m N] [-A|B|C N] { PATTERN | -e PATTERN... | -f FILE... } [FILE]...\n\nSearch for PATTERN in FILEs (or stdin)",
    usageStatus: 2,
    numberOption: "C",
    *run(tool) {
      const patterns = tool.values("e").flatMap((text) => text.split("\n"));
      let files = tool.operands;
      for (const file of tool.values("f")) patterns.push(...tool.self.readText(file).replace(/\n$/u, "").split("\n"));
      if (!tool.has("e") && !tool.has("f")) {
        const first = files[0];
        if (first === undefined) {
          if (!tool.gnu) throw new UsageFailure("", 1);
          yield* tool.self.write(2, "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n");
          return 2;
        }
        patterns.push(...first.split("\n"));
        files = files.slice(1);
      }
      const search = new Search(tool, compile(tool, patterns));
      const recursive = tool.has("r") || tool.has("R");
      const paths = files.length === 0 ? [recursive ? "." : "-"] : files;
      search.named = tool.lastOf("h", "H") === "H" || (tool.lastOf("h", "H") !== "h" && (paths.length > 1 || recursive));
      for (const path of paths) {
        yield* search.path(path, recursive, files.length === 0 && recursive);
        if (search.found && tool.has("q")) return 0;
      }
      if (tool.status === 2 && !(tool.has("q") && search.found)) return 2;
      return search.found ? 0 : 1;
    },
  };
}

function compile(tool: Tool, patterns: readonly string[]): RegExp {
  const kind = tool.lastOf("E", "F", "G", "P");
  const sources = patterns.map((pattern) => {
    if (kind === "F") return pattern.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
    if (kind === "P") return pattern;
    try {
      return regexSource(pattern, kind !== "E");
    } catch (error) {
      throw new ToolFailure(wordsOf(error), 2);
    }
  });
  let source = sources.map((each) => `(?:${each})`).join("|");
  if (tool.has("w")) source = `(?<!\\w)(?:${source})(?!\\w)`;
  if (tool.has("x")) source = `^(?:${source})$`;
  try {
    return new BoundedRegExp(source, `g${tool.has("i") ? "i" : ""}u`);
  } catch {
    try {
      return new BoundedRegExp(source, `g${tool.has("i") ? "i" : ""}`);
    } catch {
      throw new ToolFailure(kind === "E" || kind === "P" ? "Unmatched ( or \\(" : "Unmatched \\( or \\)", 2);
    }
  }
}

/** What takes the lines of a file one by one; true: enough. */
type EachLine = (line: string) => Sys<boolean | undefined>;

class Search {
  found = false;
  named = false;
  readonly #tool: Tool;
  readonly #regex: RegExp;
  readonly #before: number;
  readonly #after: number;
  readonly #color: boolean;

  constructor(tool: Tool, regex: RegExp) {
    this.#tool = tool;
    this.#regex = regex;
    this.#before = Number(tool.value("B") ?? tool.value("C") ?? 0);
    this.#after = Number(tool.value("A") ?? tool.value("C") ?? 0);
    for (const letter of ["A", "B", "C"]) {
      const value = tool.value(letter);
      if (value !== undefined && !/^\d+$/u.test(value)) throw new ToolFailure(`${value}: invalid context length argument`, 2);
    }
    const color = tool.value("color");
    this.#color = color === "always" || (color === "auto" && tool.self.isTty(1)) || (color === "" && tool.self.isTty(1));
  }

  *path(path: string, recursive: boolean, implicit: boolean, depth = 0): Sys<void> {
    const tool = this.#tool;
    try {
      if (path !== "-" && tool.self.stat(path).type === "directory") {
        if (!recursive) {
          if (tool.gnu && !tool.has("s")) yield* tool.warn(`${path}: Is a directory`, tool.status);
          else if (!tool.gnu) yield* tool.warn(`read error: Is a directory`, 2);
          return;
        }
        if (depth > 64) return;
        for (const name of tool.self.readdir(path)) {
          const child = implicit && path === "." ? name : `${path.replace(/\/$/u, "")}/${name}`;
          const stat = tool.self.lstat(child);
          if (stat.type === "symlink" && !tool.has("R")) continue;
          if (stat.type === "directory" && tool.values("exclude-dir").some((pattern) => matchesPattern(pattern, name))) continue;
          yield* this.path(child, true, implicit, depth + 1);
        }
        return;
      }
      if (recursive && depth > 0) {
        const name = baseName(path);
        const include = tool.values("include");
        if (include.length > 0 && !include.some((pattern) => matchesPattern(pattern, name))) return;
        if (tool.values("exclude").some((pattern) => matchesPattern(pattern, name))) return;
      }
      yield* this.#file(path === "-" ? "(standard input)" : path, (each) => this.#lines(path, each));
    } catch (error) {
      const isDamaged = error instanceof GzipError;
      if (!isDamaged && (!(error instanceof SysError) || error.code === "EPIPE")) throw error;
      if (tool.name === "zgrep") {
        yield* tool.flush();
        yield* tool.self.write(2, `${isDamaged ? "\n" : ""}gzip: ${path === "-" ? "stdin" : path}: ${error.message}\n`);
        tool.status = 2;
        return;
      }
      if (tool.has("s")) tool.status = 2;
      else yield* tool.warn(`${path}: ${error.message}`, 2);
    }
  }

  *#lines(path: string, each: EachLine): Sys<void> {
    const tool = this.#tool;
    if (tool.name === "zgrep") {
      const text = decodeUtf8(unpacked(tool.self, yield* tool.readAll(path)));
      for (const line of linesOf(text)) {
        tool.self.spend(1);
        yield* tool.self.breathe();
        if ((yield* each(line)) === true) return;
      }
      return;
    }
    const fd = tool.openInput(path);
    yield* eachLine(tool, fd, each);
    tool.closeInput(fd);
  }

  *#file(name: string, lines: (each: EachLine) => Sys<void>): Sys<void> {
    const tool = this.#tool;
    const invert = tool.has("v");
    const quiet = tool.has("q") || tool.has("l") || tool.has("L") || tool.has("c");
    const limit = tool.has("m") ? Number(tool.value("m")) : Number.POSITIVE_INFINITY;
    const context = this.#before > 0 || this.#after > 0;
    const held: [number, string][] = [];
    let number = 0;
    let count = 0;
    let trailing = 0;
    let lastShown = 0;
    const show = (line: number, text: string, mark: string) => tool.print(`${this.#label(name, line, mark)}${text}\n`);
    const self = this;
    yield* lines(function* (line) {
      number += 1;
      self.#regex.lastIndex = 0;
      if (self.#regex.test(line) !== invert) {
        if (count >= limit) return true;
        count += 1;
        self.found = true;
        if (tool.has("q") || tool.has("l")) return true;
        if (!quiet) {
          if (context) {
            const first = held[0]?.[0] ?? number;
            if (lastShown > 0 && first > lastShown + 1) yield* tool.print("--\n");
            for (const [at, text] of held) yield* show(at, text, "-");
            held.length = 0;
          }
          if (tool.has("o")) {
            self.#regex.lastIndex = 0;
            if (!invert)
              for (const match of line.matchAll(self.#regex)) if (match[0] !== "") yield* show(number, self.#paint(match[0]), ":");
          } else yield* show(number, self.#highlight(line, invert), ":");
          lastShown = number;
          trailing = self.#after;
        }
        return count >= limit && trailing === 0;
      }
      if (quiet) return undefined;
      if (trailing > 0) {
        trailing -= 1;
        yield* show(number, line, "-");
        lastShown = number;
        return count >= limit && trailing === 0;
      }
      if (count >= limit) return true;
      if (self.#before > 0) {
        held.push([number, line]);
        if (held.length > self.#before) held.shift();
      }
      return undefined;
    });
    if (tool.has("c")) yield* tool.print(`${this.named ? `${name}:` : ""}${count}\n`);
    if (tool.has("l") && count > 0) yield* tool.print(`${name}\n`);
    if (tool.has("L") && count === 0) yield* tool.print(`${name}\n`);
  }

  #label(name: string, line: number, mark: string): string {
    return (this.named ? `${name}${mark}` : "") + (this.#tool.has("n") ? `${line}${mark}` : "");
  }

  #paint(text: string): string {
    return this.#color ? `\x1b[01;31m\x1b[K${text}\x1b[m\x1b[K` : text;
  }

  #highlight(line: string, invert: boolean): string {
    return this.#color && !invert ? line.replace(this.#regex, (match) => (match === "" ? "" : this.#paint(match))) : line;
  }
}
